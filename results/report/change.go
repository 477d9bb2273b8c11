package report

import (
	"fmt"
	"math"
	"strings"

	"switchback/results/gate"
	"switchback/results/record"
)

// sense says whether a change is for the better.
type sense uint8

const (
	unjudged sense = iota // no interval
	same                  // can't be told apart
	better
	worse
)

// judge says whether the interval of c excludes "no change", and which way.
func judge(metric string, c record.Change) sense {
	none := 1.0
	if c.IsDiff {
		none = 0
	}
	info, ok := gate.MetricInfo(metric)
	switch {
	case !ok || unbounded(c):
		return unjudged
	case c.Low <= none && none <= c.High:
		return same
	case (c.High < none) == info.LowerBetter:
		return better
	}
	return worse
}

// endless reports whether an end of an interval is not known.
func endless(v float64) bool { return !(math.Abs(v) < math.MaxFloat64) }

// unbounded reports whether there were too few pairs for an interval: neither
// end is known.
func unbounded(c record.Change) bool {
	return (endless(c.Low) || !c.IsDiff && c.Low <= 0) && endless(c.High)
}

// changeText formats the estimate of a change, ~ for one that can't be told
// from none.
func changeText(metric, unit string, c record.Change) string {
	switch judge(metric, c) {
	case same:
		return "~"
	case unjudged:
		return ""
	}
	if c.IsDiff {
		return difference(c.Diff, unit)
	}
	return ratio(c.Ratio, asFactor(c.Ratio))
}

// intervalText formats the interval of a change.
func intervalText(unit string, c record.Change) string {
	switch {
	case unbounded(c):
		return "too few pairs"
	case c.IsDiff:
		return span(difference(c.Low, unit), difference(c.High, unit))
	}
	factor := asFactor(c.Ratio)
	return span(ratio(c.Low, factor), ratio(c.High, factor))
}

// span joins two ends; a unit that both share is written once.
func span(low, high string) string {
	if cut := strings.LastIndexByte(low, ' '); cut >= 0 && strings.HasSuffix(high, low[cut:]) {
		low = low[:cut]
	}
	return low + " … " + high
}

// asFactor reports whether a ratio reads better as a factor than in percent.
func asFactor(r float64) bool { return r <= 0.5 || r >= 2 }

// ratio formats a ratio in percent, or as a factor: ×3.20 for more, ÷128 for
// less.
func ratio(r float64, factor bool) string {
	switch {
	case endless(r) || r <= 0:
		return "?"
	case !factor:
		return signed(100*(r-1)) + " %"
	case r < 1:
		return "÷" + digits(1/r)
	}
	return "×" + digits(r)
}

// difference formats a difference in the metric's unit; ratios in percentage
// points.
func difference(d float64, unit string) string {
	switch {
	case endless(d):
		return "?"
	case unit == "ratio":
		return signed(100*d) + " pt"
	case d > 0:
		return "+" + number(d, unit)
	}
	return number(d, unit)
}

// signed formats percents and points: a sign, and at most two decimals.
func signed(v float64) string {
	switch {
	case math.Abs(v) < 0.005:
		return "0"
	case math.Abs(v) < 9.995:
		return fmt.Sprintf("%+.2f", v)
	}
	return fmt.Sprintf("%+.1f", v)
}
