package figures

import (
	"fmt"
	"math"
	"strings"

	"switchback/results/gate"
	"switchback/results/record"
)

// Sense says whether a change is for the better.
type Sense uint8

const (
	Unjudged Sense = iota // no interval
	Same                  // can't be told apart
	Better
	Worse
)

// Judge says whether the interval of c excludes "no change", and which way.
func Judge(metric string, c record.Change) Sense {
	none := 1.0
	if c.IsDiff {
		none = 0
	}
	info, ok := gate.MetricInfo(metric)
	switch {
	case !ok || Unbounded(c):
		return Unjudged
	case c.Low <= none && none <= c.High:
		return Same
	case (c.High < none) == info.LowerBetter:
		return Better
	}
	return Worse
}

// Endless reports whether an end of an interval is not known.
func Endless(v float64) bool { return !(math.Abs(v) < math.MaxFloat64) }

// Unbounded reports whether there were too few pairs for an interval: neither
// end is known.
func Unbounded(c record.Change) bool {
	return (Endless(c.Low) || !c.IsDiff && c.Low <= 0) && Endless(c.High)
}

// Change formats the estimate of a change, ~ for one that can't be told
// from none.
func Change(metric, unit string, c record.Change) string {
	switch Judge(metric, c) {
	case Same:
		return "~"
	case Unjudged:
		return ""
	}
	if c.IsDiff {
		return Difference(c.Diff, unit)
	}
	return Ratio(c.Ratio, AsFactor(c.Ratio))
}

// Interval formats the interval of a change.
func Interval(unit string, c record.Change) string {
	switch {
	case Unbounded(c):
		return "too few pairs"
	case c.IsDiff:
		return Span(Difference(c.Low, unit), Difference(c.High, unit))
	}
	factor := AsFactor(c.Ratio)
	return Span(Ratio(c.Low, factor), Ratio(c.High, factor))
}

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
