package trace

import (
	"cmp"
	"slices"
	"time"

	"switchback/results/record"
)

// slowestKept bounds the list of a run's slowest requests.
const slowestKept = 20

// Slow is one of the slowest requests of a run.
type Slow struct {
	Place
	TTFB          time.Duration // first byte − due; of one that failed, its end − due
	Host, Path    string
	TraceID       record.TraceID
	Reconstructed bool // its server spans are made from Server-Timing
}

// Slowest returns the slowest traced requests of the run so far, at most 20,
// the slowest first.
func (t *Tracer) Slowest() []Slow { return t.slowest }

// keep takes a request into the list of the slowest, if it is one.
func (t *Tracer) keep(at Place, s *record.Sample, l record.Label, reconstructed bool) {
	slow := Slow{Place: at, TTFB: time.Duration(untilFirstByte(s)), Host: l.Host, Path: l.Path, TraceID: s.TraceID, Reconstructed: reconstructed}
	i, _ := slices.BinarySearchFunc(t.slowest, slow, func(a, b Slow) int { return cmp.Compare(b.TTFB, a.TTFB) })
	if i == slowestKept {
		return
	}
	t.slowest = slices.Insert(t.slowest, i, slow)
	t.slowest = t.slowest[:min(len(t.slowest), slowestKept)]
}

// slowestOf marks the n samples with the latest first byte after due.
func slowestOf(samples []record.Sample, n int) map[int]bool {
	order := make([]int, len(samples))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(untilFirstByte(&samples[b]), untilFirstByte(&samples[a])) })
	slow := map[int]bool{}
	for _, i := range order[:min(n, len(order))] {
		slow[i] = true
	}
	return slow
}

// untilFirstByte returns the nanoseconds from due to first byte; a request
// that failed counts until its end.
func untilFirstByte(s *record.Sample) int64 {
	if s.Error == record.OK && s.FirstByte != record.Never {
		return s.FirstByte - s.Due
	}
	return ended(s) - s.Due
}
