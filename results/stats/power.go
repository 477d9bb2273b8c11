package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// powerQuantile is the normal quantile of a power of 80 %.
const powerQuantile = 0.8416212335729143

// Spread returns the standard deviation of d; NaN for fewer than two values.
func Spread(d []float64) float64 {
	if len(d) < 2 {
		return math.NaN()
	}
	mean, squares := 0.0, 0.0
	for _, v := range d {
		mean += v / float64(len(d))
	}
	for _, v := range d {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(len(d)-1))
}

// Detectable returns the shift beyond a margin that n values of spread sigma
// show at a one-sided alpha with 80 % power: (z₁₋α + 0.842)·σ/√n.
func Detectable(sigma float64, n int, alpha float64) float64 {
	return power(alpha) * sigma / math.Sqrt(float64(n))
}

// MDE returns the smallest relative effect that n log ratios of spread sigma
// would call a regression beyond the margin with 80 % power:
// (1+δ)·exp((z₁₋α + 0.842)·σ/√n) − 1.
func MDE(margin, sigma float64, n int, alpha float64) float64 {
	return (1+margin)*math.Exp(Detectable(sigma, n, alpha)) - 1
}

// Needed returns how many values of spread sigma show a shift that lies away
// from the margin by distance, with 80 % power: the inverse of Detectable. It
// returns 0 when no number of values would do: a distance of zero.
func Needed(distance, sigma, alpha float64) int {
	n := math.Ceil(math.Pow(power(alpha)*sigma/distance, 2) - 1e-9)
	if !(n >= 1) {
		n = 1
	}
	if distance == 0 || n > math.MaxInt32 {
		return 0
	}
	return int(n)
}

func power(alpha float64) float64 { return distuv.UnitNormal.Quantile(1-alpha) + powerQuantile }
