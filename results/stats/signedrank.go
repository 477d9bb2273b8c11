package stats

// SignedRank is the result of Wilcoxon's signed-rank test.
type SignedRank struct {
	N        int     // values that differ from the margin
	W        float64 // sum of the ranks of the positive ones; R calls it V
	Greater  float64 // P(W⁺ ≥ W): small when the values lie above the margin
	Less     float64 // P(W⁺ ≤ W): small when they lie below
	TwoSided float64 // twice the smaller, at most 1
}

// SignedRankTest tests d against a margin, exactly: the distribution over all
// signs, with mid-ranks for ties; values equal to the margin are dropped.
//
// Source: Wilcoxon, Individual Comparisons by Ranking Methods, 1945; checked
// against R's wilcox.test.
func SignedRankTest(d []float64, margin float64) SignedRank {
	s := RankScores(d, margin, nil)
	tail := s.upperTail()
	sum := s.Sum()
	t := SignedRank{
		N:       s.Len(),
		W:       float64(sum) / 2,
		Greater: tail[sum],
		// The distribution is symmetric: P(S ≤ s) = P(S ≥ total − s).
		Less: tail[len(tail)-1-sum],
	}
	t.TwoSided = min(1, 2*min(t.Greater, t.Less))
	return t
}
