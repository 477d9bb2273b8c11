package attack

import (
	"slices"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"switchback/harness/schedule"
	"switchback/results/record"
)

// The metrics of a load, in the order of tables and files.
const (
	ttfb = iota
	serviceTTFB
	latency
	lateness
	blocked
	metrics
)

var metricNames = [metrics]string{"ttfb", "service_ttfb", "latency", "lateness", "blocked"}

// tally sums up samples. Its histograms are dense (a value is counted in 14 ns,
// a tenth of what the sparse ones of package record take): there are only five.
type tally struct {
	histograms [metrics]*hdr.Histogram
	outOfRange int64
	requests   int64
	errors     [16]int64 // by record.ErrorKind

	lastReleased time.Duration
	lastDone     time.Duration
	due          []time.Duration // of the first maxInstants requests
	released     []time.Duration
}

// maxInstants is how many requests the distance from the schedule is judged by.
const maxInstants = 200_000

func newTally() *tally {
	t := &tally{}
	for i := range t.histograms {
		t.histograms[i] = hdr.New(record.LowestValue, record.HighestValue, record.SignificantDigits)
	}
	return t
}

// add counts a sample as package record does: a request that failed counts at
// its full elapsed time; one that was never sent, as blocked all that time.
func (t *tally) add(s *record.Sample) {
	t.requests++
	t.errors[s.Error]++
	t.record(lateness, s.Released-s.Due)
	t.record(latency, s.Done-s.Due)
	first := s.Done
	if s.Error == record.OK && s.FirstByte != record.Never {
		first = s.FirstByte
	}
	t.record(ttfb, first-s.Due)
	if s.Sent == record.Never {
		t.record(blocked, s.Done-s.Released)
	} else {
		t.record(blocked, s.Sent-s.Released)
		t.record(serviceTTFB, first-s.Sent)
	}
	t.lastReleased = max(t.lastReleased, time.Duration(s.Released))
	t.lastDone = max(t.lastDone, time.Duration(s.Done))
	if len(t.due) < maxInstants {
		t.due, t.released = append(t.due, time.Duration(s.Due)), append(t.released, time.Duration(s.Released))
	}
}

func (t *tally) record(metric int, ns int64) {
	if ns < 0 || ns > record.HighestValue {
		t.outOfRange++
		ns = min(max(ns, 0), record.HighestValue)
	}
	// The only error is a value outside the range.
	_ = t.histograms[metric].RecordValue(ns)
}

// fidelity compares what was released with the schedule.
func (t *tally) fidelity() schedule.Fidelity {
	slices.Sort(t.due)
	slices.Sort(t.released)
	return schedule.Compare(t.due, t.released)
}
