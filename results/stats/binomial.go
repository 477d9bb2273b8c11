package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// ClopperPearson returns exact bounds of a share seen k times in n. Each bound
// holds alone at the confidence; together they hold at twice the doubt.
//
// Source: Clopper and Pearson, The Use of Confidence or Fiducial Limits, 1934.
func ClopperPearson(k, n int, confidence float64) (low, high float64) {
	high = 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(1 - confidence)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(confidence)
	}
	return low, high
}

// fairTail returns P(at least k heads in n fair coins) for k = 0 … n.
func fairTail(n int) []float64 {
	ones := Scores{size: make([]int, n)}
	for i := range ones.size {
		ones.size[i] = 1
	}
	return ones.upperTail()
}

// MedianTest tests the median of x against a bound by counting: above is the
// probability of so many values above it by fair coins, below that of so many
// below. A value equal to the bound speaks for neither.
func MedianTest(x []float64, bound float64) (above, below float64) {
	over, under := 0, 0
	for _, v := range x {
		switch {
		case v > bound:
			over++
		case v < bound:
			under++
		}
	}
	tail := fairTail(len(x))
	return tail[over], tail[under]
}

// MedianBounds returns the one-sided bounds of the median of x, each at level
// 1 − alpha: order statistics. lower is above a bound exactly when MedianTest
// has above ≤ alpha, upper below it exactly when below ≤ alpha. Infinite when
// x has too few values.
//
// Source: David and Nagaraja, Order Statistics, 2003, section 7.1.
func MedianBounds(x []float64, alpha float64) (lower, upper float64) {
	sorted := slices.Sorted(slices.Values(x))
	n, c := len(sorted), 0
	tail := fairTail(n)
	for c < n && tail[n-c] <= alpha { // P(at most c heads)
		c++
	}
	if c == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return sorted[c-1], sorted[n-c]
}
