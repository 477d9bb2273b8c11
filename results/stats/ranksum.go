package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// RankSum compares two independent samples: the Mann–Whitney test, which
// knows nothing of pairs. It is for a reference that was measured at another
// time; drift between the two is not in its error rate.
type RankSum struct {
	Shift        float64 // median of all differences b − a (Hodges–Lehmann)
	Lower, Upper float64 // one-sided bounds of the shift, each at 1 − alpha
	Greater      float64 // p of "b lies above a by more than the margin"
	Less         float64 // p of "b lies above a by less than the margin"
}

// exactProduct is the largest len(a)·len(b) whose distribution is exact.
const exactProduct = 2500

// RankSumTest compares b with a against a margin. A tie with the margin
// counts for neither side, so that p and bounds agree and ties are on the safe
// side. Beyond 50 by 50 values the distribution of U is normal with
// continuity correction.
//
// Source: Mann and Whitney, 1947; bounds: Hollander, Wolfe and Chicken,
// Nonparametric Statistical Methods, section 4.3.
func RankSumTest(a, b []float64, margin, alpha float64) RankSum {
	differences := make([]float64, 0, len(a)*len(b))
	over, under := 0, 0
	for _, x := range a {
		for _, y := range b {
			d := y - x
			differences = append(differences, d)
			if d > margin {
				over++
			}
			if d < margin {
				under++
			}
		}
	}
	slices.Sort(differences)
	tail := rankSumTail(len(a), len(b))
	r := RankSum{Shift: middle(differences), Lower: math.Inf(-1), Upper: math.Inf(1), Greater: tail(over), Less: tail(under)}
	n := len(differences)
	// P(U ≤ c) = P(U ≥ n − c): the c-th smallest difference is the bound.
	c := 0
	for c < n && tail(n-c) <= alpha {
		c++
	}
	if c > 0 {
		r.Lower, r.Upper = differences[c-1], differences[n-c]
	}
	return r
}

// rankSumTail returns P(U ≥ u) under "no difference".
func rankSumTail(n, m int) func(u int) float64 {
	if n*m <= exactProduct {
		tail := cumulateFromTop(exactRankSum(n, m))
		return func(u int) float64 { return tail[u] }
	}
	mean := float64(n) * float64(m) / 2
	sd := math.Sqrt(mean * float64(n+m+1) / 6)
	return func(u int) float64 { return distuv.UnitNormal.Survival((float64(u) - 0.5 - mean) / sd) }
}

// exactRankSum returns P(U = u) by the recursion on the largest observation:
// with probability i/(i+j) it is of the first sample and above all j others.
func exactRankSum(n, m int) []float64 {
	row := make([][]float64, m+1) // row[j] is the distribution for i and j
	for j := range row {
		row[j] = []float64{1}
	}
	for i := 1; i <= n; i++ {
		next := make([][]float64, m+1)
		next[0] = []float64{1}
		for j := 1; j <= m; j++ {
			next[j] = mixRankSum(row[j], next[j-1], i, j)
		}
		row = next
	}
	return row[m]
}

func mixRankSum(oneFirstLess, oneSecondLess []float64, i, j int) []float64 {
	mass := make([]float64, i*j+1)
	first := float64(i) / float64(i+j)
	for u, p := range oneFirstLess {
		mass[u+j] += first * p
	}
	for u, p := range oneSecondLess {
		mass[u] += (1 - first) * p
	}
	return mass
}
