package stats

import "math"

// beyond stands for an infinite difference between two values, of which one has
// no bound: larger than any difference of finite values, and small enough for
// sums and squares of it to be finite.
const beyond = 1e100

// LogRatio returns ln(a/b). Either may be +Inf: the difference is then beyond all
// others, and none when both are. Arithmetic with it stays finite; Endless tells
// it apart.
func LogRatio(a, b float64) float64 {
	if math.IsInf(a, 1) || math.IsInf(b, 1) {
		return Difference(a, b)
	}
	return math.Log(a) - math.Log(b)
}

// Difference returns a − b; of infinite values as LogRatio.
func Difference(a, b float64) float64 {
	switch first, second := math.IsInf(a, 1), math.IsInf(b, 1); {
	case first && second:
		return 0
	case first:
		return beyond
	case second:
		return -beyond
	}
	return a - b
}

// Endless returns a number made of differences, and ±Inf where one that is beyond
// all others rules it.
func Endless(v float64) float64 {
	if math.Abs(v) < math.Sqrt(beyond) {
		return v
	}
	return math.Copysign(math.Inf(1), v)
}
