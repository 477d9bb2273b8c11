package record

import (
	"math"
	"math/bits"
)

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

// Of returns the statistic of h in seconds, 0 for an empty histogram. Like
// HdrHistogram it takes the largest value of a bucket, for the mean its middle.
// It is +Inf, "no answer", where NoAnswer says so. Mean and maximum are those of
// the requests that were answered.
func (s Statistic) Of(h *Histogram) float64 {
	switch {
	case h.N() == 0:
		return 0
	case s.NoAnswer(h.N(), h.failed):
		return math.Inf(1)
	case s.Name == "mean":
		return h.mean() / 1e9
	case s.Name == "max":
		return float64(h.atRank(h.n)) / 1e9
	}
	return float64(h.atRank(s.rank(h.N()))) / 1e9
}

// NoAnswer reports whether the statistic of n requests, of which so many failed,
// is no duration: the request at the rank of the quantile failed, or for mean
// and maximum all of them.
func (s Statistic) NoAnswer(n, failed int64) bool { return s.rank(n) > n-failed }

// rank returns the rank of a quantile among n requests; of mean and maximum, which
// any answered request gives a value, the first.
func (s Statistic) rank(n int64) int64 {
	if s.perMille == 0 {
		return min(1, n)
	}
	return Rank(s.perMille*1_000_000, n)
}

// Rank returns which of n values, counted from 1 in ascending order, is the
// quantile of so many billionths: the nearest rank, ⌈q·n⌉. It is computed in
// integers: with floats 0.55 of 100 is the 56th. Of no values it is 0.
func Rank(billionths, n int64) int64 {
	high, low := bits.Mul64(uint64(billionths), uint64(n))
	rank, rest := bits.Div64(high, low, 1_000_000_000)
	if rest > 0 {
		rank++
	}
	return min(max(int64(rank), 1), n)
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

// atRank returns the rank-th smallest value, counted from 1.
func (h *Histogram) atRank(rank int64) int64 {
	var seen, value int64
	h.each(func(_, high, count int64) bool {
		seen, value = seen+count, high
		return seen < rank
	})
	return value
}

func (h *Histogram) mean() float64 {
	var sum float64
	h.each(func(low, high, count int64) bool {
		sum += float64(count) * float64(low+(high-low+1)/2)
		return true
	})
	return sum / float64(h.n)
}
