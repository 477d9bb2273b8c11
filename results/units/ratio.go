package units

import (
	"fmt"
	"math"
	"strings"
)

// Span joins two ends; a unit that both share is written once.
func Span(low, high string) string {
	if cut := strings.LastIndexByte(low, ' '); cut >= 0 && strings.HasSuffix(high, low[cut:]) {
		low = low[:cut]
	}
	return low + " … " + high
}

// AsFactor reports whether a ratio reads better as a factor than in percent.
func AsFactor(r float64) bool { return r <= 0.5 || r >= 2 }

// Ratio formats a ratio in percent, or as a factor: ×3.20 for more, ÷128 for
// less.
func Ratio(r float64, factor bool) string {
	switch {
	case Endless(r) || r <= 0:
		return "?"
	case !factor:
		return Signed(100*(r-1)) + " %"
	case r < 1:
		return "÷" + Digits(1/r)
	}
	return "×" + Digits(r)
}

// Difference formats a difference in the metric's unit; ratios in percentage
// points.
func Difference(d float64, unit string) string {
	switch {
	case Endless(d):
		return "?"
	case unit == "ratio":
		return Signed(100*d) + " pt"
	case d > 0:
		return "+" + Number(d, unit)
	}
	return Number(d, unit)
}

// Signed formats percents and points: a sign, and at most two decimals.
func Signed(v float64) string {
	switch {
	case math.Abs(v) < 0.005:
		return "0"
	case math.Abs(v) < 9.995:
		return fmt.Sprintf("%+.2f", v)
	}
	return fmt.Sprintf("%+.1f", v)
}
