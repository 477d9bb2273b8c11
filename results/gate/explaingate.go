package gate

import (
	"fmt"
	"math"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// Title names what a gate compared: the metric and group, the arm, the bound.
func Title(g record.Gate) string {
	t := fmt.Sprintf("%s of %s: %s", name(g.Metric, g.Group), g.Arm, g.Bound)
	if g.Line > 0 {
		t += fmt.Sprintf(" (line %d)", g.Line)
	}
	return t
}

// Grounds returns what a gate's verdict rests on, a line for each thought: the
// bounds and the margin, p, and beside a verdict what could have been seen.
func Grounds(g record.Gate) []string {
	var lines []string
	if g.Reason != "" {
		lines = append(lines, g.Reason)
	}
	s := scaleOf(g)
	lower := s.bound(g.Lower)
	if g.NoAnswer {
		lower = units.NoAnswer
	}
	if s.open(g.Lower) && s.open(g.Upper) && !g.NoAnswer {
		if g.Reason == "" {
			lines = append(lines, "too few pairs for a bound")
		}
		return lines
	}
	lines = append(lines, fmt.Sprintf("%s: lower bound %s, upper bound %s, margin %s", s.what, lower, s.bound(g.Upper), s.show(s.margin(g))),
		fmt.Sprintf("%s against the margin, alpha %.3g, %s", units.Probability(g.P), g.Alpha, units.Count(g.Pairs, "pair")))
	if g.Verdict != record.Inconclusive && g.MDE != 0 {
		lines = append(lines, fmt.Sprintf("a true %s of %s would have been called with 80 %% power", s.what, s.show(s.effect(g.MDE))))
	}
	return lines
}

// Advice says what would decide a gate that is open; "" for any other.
func Advice(g record.Gate) string {
	switch {
	case g.Verdict != record.Inconclusive:
		return ""
	case g.PairsNeeded > 0:
		return fmt.Sprintf("undecided: about %s would decide if the change is as found (--pairs %d)", units.Count(g.PairsNeeded, "pair"), g.PairsNeeded)
	case scaleOf(g).own:
		return "undecided: the bound lies between them; more pairs bring them together"
	}
	return "undecided: the change lies at the margin, where no number of pairs decides"
}

// scale is how the bounds of a gate are to be read.
type scale struct {
	what  string // change, decrease, value
	unit  string
	ratio bool // to the baseline
	own   bool // the arm's own value
}

func scaleOf(g record.Gate) scale {
	info, _ := metric.Lookup(g.Metric)
	s := scale{what: "change", unit: info.Unit}
	switch key, _, _ := strings.Cut(g.Bound, " "); key {
	case "max", "min":
		s.what, s.own = "value", true
		return s
	case "max_regression", "min_improvement":
		s.ratio = true
	}
	if !info.LowerBetter {
		s.what = "decrease"
	}
	return s
}

func (s scale) margin(g record.Gate) float64 { return s.effect(g.Margin) }

// effect puts a share on the scale of the bounds.
func (s scale) effect(v float64) float64 {
	if s.ratio {
		return 1 + v
	}
	return v
}

// open says whether a bound is no bound.
func (s scale) open(v float64) bool {
	return math.IsInf(v, 0) || math.IsNaN(v) || s.ratio && v <= 0
}

func (s scale) bound(v float64) string {
	if s.open(v) {
		return "none"
	}
	return s.show(v)
}

func (s scale) show(v float64) string {
	switch {
	case s.ratio:
		return units.Ratio(v, units.AsFactor(v))
	case s.own:
		return units.Number(v, s.unit) + units.Per(s.unit)
	}
	return units.Difference(v, s.unit) + units.Per(s.unit)
}
