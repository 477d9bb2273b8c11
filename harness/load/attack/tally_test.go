package attack

import (
	"strings"
	"testing"

	"switchback/results/metric"
	"switchback/results/record"
)

// What the five instants mean is one function: a load and a block count the same
// samples alike. A request that never ended once counted as 0 and out of range
// here, and until the end of the drain there.
func TestALoadCountsAsABlockDoes(t *testing.T) {
	const end = 9e9
	samples := []record.Sample{
		{Due: 0, Released: 10, Sent: 20, FirstByte: 3000, Done: 4000},
		{Due: 5, Released: 10, Sent: 20, FirstByte: record.Never, Done: 2000, Error: record.ErrReset},
		{Due: 1e9, Released: 1e9, Sent: record.Never, FirstByte: record.Never, Done: record.Never, Error: record.ErrUnanswered},
	}
	m := record.Measure(samples, []record.Label{{}}, end)
	counted := newTally()
	for i := range samples {
		counted.add(&samples[i], end)
	}
	for number, h := range counted.histograms {
		for _, s := range m.Series {
			if s.Metric == metric.OfRequests()[number] && (s.N() != h.N() || s.Statistic("max") != h.Statistic("max") || s.Statistic("p50") != h.Statistic("p50") || h.OutOfRange() != 0) {
				t.Errorf("%s: %d values up to %v here, %d up to %v in a block", s.Metric, h.N(), h.Statistic("max"), s.N(), s.Statistic("max"))
			}
		}
	}
	if h := counted.histograms[record.Latency]; h.N() != 3 || h.Failed() != 2 {
		t.Errorf("%d of %d requests failed, want 2 of 3", h.Failed(), h.N())
	}
}

func TestCutValuesAreNamed(t *testing.T) {
	counted := newTally()
	counted.add(&record.Sample{Due: 0, Released: 0, Sent: 50, FirstByte: 90e9, Done: 2 * record.HighestValue}, 0)
	var r Report
	r.noteCut(counted)
	if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "1 values of latency lie outside") || r.OutOfRange != 1 {
		t.Errorf("notes %q, %d out of range; want one of latency", r.Notes, r.OutOfRange)
	}
}
