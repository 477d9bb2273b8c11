package stats

import (
	"math"
	"slices"
)

// HodgesLehmann returns the median of the Walsh averages (d_i + d_j)/2, i ≤ j:
// the estimate that belongs to the signed-rank test. NaN for no values.
//
// Source: Hodges and Lehmann, Estimates of Location Based on Rank Tests, 1963.
func HodgesLehmann(d []float64) float64 { return middle(walshAverages(d)) }

// walshAverages returns the n(n+1)/2 averages of d in ascending order.
func walshAverages(d []float64) []float64 {
	w := make([]float64, 0, len(d)*(len(d)+1)/2)
	for i, a := range d {
		w = append(w, a)
		for _, b := range d[:i] {
			w = append(w, a/2+b/2)
		}
	}
	slices.Sort(w)
	return w
}

// Median returns the middle of the values, or the mean of the two middle
// ones; NaN for no values. It leaves x as it is.
func Median(x []float64) float64 { return middle(slices.Sorted(slices.Values(x))) }

func middle(sorted []float64) float64 {
	n := len(sorted)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return sorted[n/2]
	}
	return sorted[n/2-1]/2 + sorted[n/2]/2
}
