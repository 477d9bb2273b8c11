package record

import "math"

// Quantiles returns the values in seconds at the ranks ⌈q·n⌉ of all recorded
// values; q ascends from 0, the least value, to 1, the largest. A rank that failed
// is +Inf. All are 0 for an empty histogram.
func (h *Histogram) Quantiles(q []float64) []float64 {
	out := make([]float64, len(q))
	next, seen := 0, int64(0)
	h.each(func(_, high, count int64) bool {
		seen += count
		for next < len(q) && Rank(int64(math.Round(q[next]*1e9)), h.N()) <= seen {
			out[next] = float64(high) / 1e9
			next++
		}
		return next < len(q)
	})
	for ; h.N() > 0 && next < len(q); next++ {
		out[next] = math.Inf(1)
	}
	return out
}

// Sum returns the sum of all durations in seconds, to the histogram's
// precision.
func (h *Histogram) Sum() float64 {
	if h.n == 0 {
		return 0
	}
	return h.mean() * float64(h.n) / 1e9
}
