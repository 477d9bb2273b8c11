package load

// trendBlocks is how many of the last block medians the warm-up rule looks at.
const trendBlocks = 8

// trendScore is the least Mann–Kendall score of eight values that counts as a
// trend: without one, |S| ≥ 14 has probability 0.108.
const trendScore = 14

// Settled is the warm-up rule: whether the medians of successive blocks have
// stopped trending. It looks at the last eight and is false with fewer. The
// score is that of Mann (1945) and Kendall: pairs that rise less pairs that fall.
func Settled(medians []float64) bool {
	if len(medians) < trendBlocks {
		return false
	}
	last := medians[len(medians)-trendBlocks:]
	score := 0
	for j := range last {
		for i := range j {
			switch {
			case last[i] < last[j]:
				score++
			case last[i] > last[j]:
				score--
			}
		}
	}
	return max(score, -score) < trendScore
}
