package attack

import (
	"slices"
	"time"

	"switchback/harness/schedule"
	"switchback/results/record"
)

// tally sums up samples.
type tally struct {
	histograms [record.RequestMetrics]*record.Histogram
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
		t.histograms[i] = record.NewHistogram()
	}
	return t
}

// add counts a sample that was given up, if it has not ended, at end.
func (t *tally) add(s *record.Sample, end int64) {
	t.requests++
	t.errors[s.Error]++
	for metric, ns := range s.Times(end) {
		t.histograms[metric].Count(ns)
	}
	t.lastReleased = max(t.lastReleased, time.Duration(s.Released))
	t.lastDone = max(t.lastDone, time.Duration(s.Done))
	if len(t.due) < maxInstants {
		t.due, t.released = append(t.due, time.Duration(s.Due)), append(t.released, time.Duration(s.Released))
	}
}

// fidelity compares what was released with the schedule.
func (t *tally) fidelity() schedule.Fidelity {
	slices.Sort(t.due)
	slices.Sort(t.released)
	return schedule.Compare(t.due, t.released)
}
