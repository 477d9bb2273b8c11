package record

import (
	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// The geometry of every histogram: nanoseconds, so that a step is 0.1 % of
// the value from a microsecond to a minute.
const (
	LowestValue       = 1              // ns
	HighestValue      = 60_000_000_000 // ns
	SignificantDigits = 3
)

// Histogram counts durations in nanoseconds. A value outside the range is
// recorded at the nearest end and counted as out of range: dropping it would
// make the slow look fast. Make one with NewHistogram.
type Histogram struct {
	counts     *hdr.PackedHistogram
	outOfRange int64
}

// NewHistogram returns an empty histogram. It is sparse: its size grows with
// the number of distinct values.
func NewHistogram() *Histogram {
	return &Histogram{counts: hdr.NewPacked(LowestValue, HighestValue, SignificantDigits)}
}

// Record counts one duration of ns nanoseconds.
func (h *Histogram) Record(ns int64) {
	if ns < 0 || ns > HighestValue {
		h.outOfRange++
		ns = min(max(ns, 0), HighestValue)
	}
	// The only error is a value outside the range.
	_ = h.counts.RecordValue(ns)
}

// Merge adds the counts of other.
func (h *Histogram) Merge(other *Histogram) {
	h.counts.Merge(other.counts)
	h.outOfRange += other.outOfRange
}

// N returns how many values were recorded.
func (h *Histogram) N() int64 { return h.counts.TotalCount() }

// OutOfRange returns how many of them were out of range.
func (h *Histogram) OutOfRange() int64 { return h.outOfRange }

// Above returns how many recorded values are above ns, to the histogram's
// precision.
func (h *Histogram) Above(ns int64) int64 {
	var n int64
	h.counts.ForEachBucket(func(value, count int64) bool {
		if value > ns {
			n += count
		}
		return true
	})
	return n
}

// Statistic is a number that summarises a histogram: a quantile, the mean or
// the maximum.
type Statistic struct {
	Name     string // p50, p999, mean, max
	perMille int64  // of a quantile; 0 for the others
}

// Statistics returns those of every latency metric, in the order of tables.
func Statistics() []Statistic {
	return []Statistic{
		{"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p999", 999},
		{Name: "mean"}, {Name: "max"},
	}
}

// minAbove is the least number of values expected above a quantile for a
// block to hold it.
const minAbove = 5

// Held reports whether n values hold the statistic: at least five of them are
// expected above it. The mean and the maximum need one.
func (s Statistic) Held(n int64) bool {
	if s.perMille == 0 {
		return n > 0
	}
	return n*(1000-s.perMille) >= minAbove*1000
}

// Statistic returns the statistic of that name in seconds, 0 for a name that
// is none and for an empty histogram.
func (h *Histogram) Statistic(name string) float64 {
	for _, s := range Statistics() {
		if s.Name == name {
			return s.Of(h)
		}
	}
	return 0
}

// Of returns the statistic of h in seconds, 0 for an empty histogram.
func (s Statistic) Of(h *Histogram) float64 {
	if h.N() == 0 {
		return 0
	}
	switch s.Name {
	case "mean":
		return h.counts.Mean() / 1e9
	case "max":
		return float64(h.counts.Max()) / 1e9
	}
	return float64(h.counts.ValueAtPercentile(float64(s.perMille)/10)) / 1e9
}
