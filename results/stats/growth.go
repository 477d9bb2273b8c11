package stats

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// ErrNoSlope means that values at fewer than two different places, or fewer
// than three values, determine no slope with an interval.
var ErrNoSlope = errors.New("a slope needs three values at two places or more")

// Exponent is b of the power law y = a·xᵇ.
type Exponent struct {
	Value     float64
	Low, High float64 // of the confidence interval
	N         int
}

// Growth estimates the exponent with which y grows with x, both positive: the
// least-squares slope of ln y against ln x, with the interval of Student's t
// at n−2 degrees of freedom. It takes the scatter about the line as equal
// everywhere in logarithms; where the law is not a power law the exponent is
// the average slope over the range of x.
func Growth(x, y []float64, confidence float64) (Exponent, error) {
	lx, ly := make([]float64, len(x)), make([]float64, len(y))
	for i := range x {
		lx[i], ly[i] = math.Log(x[i]), math.Log(y[i])
	}
	n := float64(len(x))
	spread := stat.Variance(lx, nil) * (n - 1)
	if len(x) < 3 || !(spread > 0) {
		return Exponent{}, ErrNoSlope
	}
	intercept, slope := stat.LinearRegression(lx, ly, nil, false)
	var residual float64
	for i := range lx {
		residual += math.Pow(ly[i]-intercept-slope*lx[i], 2)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile((1 + confidence) / 2)
	half := t * math.Sqrt(residual/(n-2)/spread)
	return Exponent{Value: slope, Low: slope - half, High: slope + half, N: len(x)}, nil
}
