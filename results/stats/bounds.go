package stats

import "math"

// Shift estimates the location of values and bounds it, by the signed-rank
// test. It keeps the Walsh averages that estimate and bounds share.
type Shift struct {
	d, walsh []float64
}

// NewShift returns the shift of d, which it keeps.
func NewShift(d []float64) Shift { return Shift{d, walshAverages(d)} }

// Estimate returns the Hodges–Lehmann estimate; NaN for no values.
func (s Shift) Estimate() float64 { return middle(s.walsh) }

// Lower returns the one-sided lower confidence bound at level 1 − alpha: the
// least value that SignedRankTest does not reject. It is above margin exactly
// when SignedRankTest(d, margin).Greater ≤ alpha. −Inf when there are too few
// values to reject anything at alpha.
//
// Without ties at the margin it is Tukey's rule: with c the largest integer
// for which P(W⁺ ≤ c − 1) ≤ alpha, the c-th smallest Walsh average. With ties
// it is found by search. At a single tied value p can step out of line; the
// search starts from the margin, so that bound and p agree there.
func (s Shift) Lower(alpha, margin float64) float64 {
	if len(s.d) == 0 {
		return math.Inf(-1)
	}
	ranks := RankScores(s.d, margin, nil)
	if ranks.Len() == len(s.d) && !ranks.tied() {
		bound := tukey(s.walsh, len(s.d), alpha)
		if (bound > margin) == (ranks.P() <= alpha) { // else the Walsh average was rounded across the margin
			return bound
		}
	}
	return searchBound(s.d, s.walsh, alpha, margin)
}

// Upper returns the one-sided upper bound, the mirror image of Lower: below
// margin exactly when SignedRankTest(d, margin).Less ≤ alpha.
func (s Shift) Upper(alpha, margin float64) float64 { return -s.mirror().Lower(alpha, -margin) }

func (s Shift) mirror() Shift {
	m := Shift{make([]float64, len(s.d)), make([]float64, len(s.walsh))}
	for i, v := range s.d {
		m.d[i] = -v
	}
	for i, v := range s.walsh {
		m.walsh[len(s.walsh)-1-i] = -v
	}
	return m
}

// Interval returns the two-sided interval at a confidence, for example 0.95: it
// excludes 0 exactly when the two-sided p against 0 is at most 1 − confidence.
func (s Shift) Interval(confidence float64) (low, high float64) {
	alpha := (1 - confidence) / 2
	return s.Lower(alpha, 0), s.Upper(alpha, 0)
}

// Spread returns the standard deviation of normal values that would have an
// interval as wide, or that of the values where it is less. It is what the
// signed-rank test sees of the noise: a few wild values hardly widen it, while
// they rule the standard deviation. NaN for fewer than two values.
func (s Shift) Spread() float64 {
	const confidence, quantile = 0.9, 1.6448536269514722 // of the normal law at 0.95
	low, high := s.Interval(confidence)
	return min(Spread(s.d), (high-low)*math.Sqrt(float64(len(s.d)))/(2*quantile))
}

func tukey(walsh []float64, n int, alpha float64) float64 {
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	c, p := 0, 0.0
	for _, mass := range lowerMass(ranks, len(walsh)/2) {
		if p += mass; p > alpha { // P(W⁺ ≤ c)
			break
		}
		c++
	}
	if c == 0 {
		return math.Inf(-1)
	}
	return walsh[c-1]
}

// searchBound bisects the values at which p can change: the Walsh averages,
// the stretches between them, and the margin.
func searchBound(d, walsh []float64, alpha, margin float64) float64 {
	rejects := func(v float64) bool { return RankScores(d, v, nil).P() <= alpha }
	low, high := below(walsh[0]), above(walsh[len(walsh)-1])
	switch {
	case rejects(margin):
		low = math.Max(margin, low)
	case margin < low:
		return math.Inf(-1)
	default:
		high = math.Min(margin, high)
	}
	if !rejects(low) {
		return math.Inf(-1)
	}
	return bisect(edges(walsh, low, high), rejects)
}

func below(v float64) float64 { return v - math.Max(1, math.Abs(v)) }
func above(v float64) float64 { return v + math.Max(1, math.Abs(v)) }

// edges returns, ascending, low, the distinct Walsh averages between low and
// high, and high: p is constant on each stretch between two of them.
func edges(walsh []float64, low, high float64) []float64 {
	e := []float64{low}
	for _, w := range walsh {
		if w > e[len(e)-1] && w < high {
			e = append(e, w)
		}
	}
	return append(e, high)
}

// bisect returns the least number of the first stretch that is not rejected,
// or the edge before it when that is not rejected either. The first edge is
// rejected, the last is not.
func bisect(edges []float64, rejects func(float64) bool) float64 {
	low, high := -1, len(edges)-1 // stretch k lies above edge k
	for high-low > 1 {
		if mid := (low + high) / 2; rejects(edges[mid]/2 + edges[mid+1]/2) {
			low = mid
		} else {
			high = mid
		}
	}
	if high == len(edges)-1 || high > 0 && !rejects(edges[high]) {
		return edges[high]
	}
	return math.Nextafter(edges[high], math.Inf(1))
}
