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

// NoTime stands for a time that a request does not have, as the wait of one that was
// never released; NoAnswer for that of a request without a right answer, which ranks
// above all times.
const (
	NoTime   int64 = math.MinInt64
	NoAnswer int64 = math.MaxInt64
)

// Times returns what the five instants of a request mean, in nanoseconds by
// metric. A request that failed has no answer, however fast or slow it failed:
// neither failing at once nor a time-out makes a number. Where its first byte was
// that of a right status, ttfb and service_ttfb stay what they are, whatever
// became of the body. A request that was never sent was blocked until it ended,
// and one that never ended did so at end, on the clock of the instants.
func (s *Sample) Times(end int64) [RequestMetrics]int64 {
	done := s.ended(end)
	times := [RequestMetrics]int64{NoAnswer, NoAnswer, NoAnswer, NoTime, NoTime}
	if s.Error == OK {
		times[Latency] = done - s.Due
	}
	sent := done
	if s.Sent != Never {
		sent = s.Sent
	}
	if s.begun() {
		times[TTFB], times[ServiceTTFB] = s.FirstByte-s.Due, s.FirstByte-sent
	}
	if s.Released != Never {
		times[Lateness], times[Blocked] = s.Released-s.Due, sent-s.Released
	}
	return times
}

// Count counts a time as Times gives it: a duration, NoAnswer, or NoTime.
func (h *Histogram) Count(ns int64) {
	switch ns {
	case NoTime:
	case NoAnswer:
		h.Fail()
	default:
		h.Record(ns)
	}
}

// begun reports whether a right answer began.
func (s *Sample) begun() bool { return s.FirstByte != Never && (s.RightStatus || s.Error == OK) }

// ended returns the instant at which a request ended.
func (s *Sample) ended(end int64) int64 {
	if s.Done == Never {
		return max(end, s.Due)
	}
	return s.Done
}
