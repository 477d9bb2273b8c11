package record

import (
	"math"

	"switchback/results/metric"
)

// The metrics of every request, in the order of metric.OfRequests. A page view
// and the phases follow them.
const (
	TTFB = iota
	ServiceTTFB
	Latency // the last that cache states have too
	Lateness
	Blocked
	RequestMetrics // their number
)

// The metrics that follow those of every request.
const (
	page = RequestMetrics + iota
	firstPhase
)

// metricNames returns the names of the metrics above.
func metricNames() []string { return append(metric.OfRequests(), metric.Page) }

// NoTime stands for a time that a request does not have, as for a first byte that never came.
const NoTime int64 = math.MinInt64

// Times returns what the five instants of a request mean, in nanoseconds by
// metric. A request that never ended counts until end, on the clock of the
// instants. A request that failed counts at its full elapsed time, in ttfb as
// in latency. One that was never sent counts as blocked all that time and, since
// no server saw it, not in service_ttfb.
func (s *Sample) Times(end int64) [RequestMetrics]int64 {
	done := s.ended(end)
	first := done
	if s.Error == OK && s.FirstByte != Never {
		first = s.FirstByte
	}
	times := [RequestMetrics]int64{first - s.Due, NoTime, done - s.Due, NoTime, NoTime}
	sent := done
	if s.Sent != Never {
		sent = s.Sent
		times[ServiceTTFB] = first - sent
	}
	if s.Released != Never {
		times[Lateness], times[Blocked] = s.Released-s.Due, sent-s.Released
	}
	return times
}

// ended returns the instant at which a request ended.
func (s *Sample) ended(end int64) int64 {
	if s.Done == Never {
		return max(end, s.Due)
	}
	return s.Done
}
