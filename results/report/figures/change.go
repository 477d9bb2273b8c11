package figures

import (
	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// Sense says whether a change is for the better.
type Sense uint8

const (
	Unjudged Sense = iota // no interval
	Same                  // can't be told apart
	Better
	Worse
)

// Judge says whether the interval of c excludes "no change", and which way. An arm
// without an answer is worse than any; one whose baseline has none is not judged.
func Judge(name string, c record.Change) Sense {
	none := 1.0
	if c.IsDiff {
		none = 0
	}
	info, ok := metric.Lookup(name)
	switch {
	case c.NoAnswer == record.ByArm:
		return Worse
	case !ok || Unbounded(c):
		return Unjudged
	case c.NoAnswer != "":
		return Unjudged
	case c.Low <= none && none <= c.High:
		return Same
	case (c.High < none) == info.LowerBetter:
		return Better
	}
	return Worse
}

// Unbounded reports whether there were too few pairs for an interval: neither
// end is known, and not for want of answers.
func Unbounded(c record.Change) bool {
	return c.NoAnswer == "" && (units.Endless(c.Low) || !c.IsDiff && c.Low <= 0) && units.Endless(c.High)
}

// Change formats the estimate of a change, ~ for one that can't be told
// from none; "no answer" where either has none.
func Change(metric, unit string, c record.Change) string {
	if c.NoAnswer != "" {
		return units.NoAnswer
	}
	switch Judge(metric, c) {
	case Same:
		return "~"
	case Unjudged:
		return ""
	}
	if c.IsDiff {
		return units.Difference(c.Diff, unit)
	}
	return units.Ratio(c.Ratio, units.AsFactor(c.Ratio))
}

// Interval formats the interval of a change.
func Interval(unit string, c record.Change) string {
	switch {
	case c.NoAnswer != "":
		return ""
	case Unbounded(c):
		return "too few pairs"
	case c.IsDiff:
		return units.Span(units.Difference(c.Low, unit), units.Difference(c.High, unit))
	}
	factor := units.AsFactor(c.Ratio)
	return units.Span(units.Ratio(c.Low, factor), units.Ratio(c.High, factor))
}
