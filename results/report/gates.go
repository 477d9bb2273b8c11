package report

import (
	"fmt"
	"strings"

	"switchback/results/gate"
	"switchback/results/record"
	"switchback/results/report/figures"
)

// gateIndent is the column at which the text of a gate starts.
const gateIndent = 16

// gates writes each gate: its verdict, what was compared, the bounds, what
// could have been seen, and what to do when it is open.
func (p *printer) gates(gates []record.Gate) {
	if len(gates) == 0 {
		return
	}
	p.line()
	p.line(p.style(bold, "gates"))
	for _, g := range gates {
		verdict := figures.Cut(figures.Escape(g.Verdict), gateIndent-3)
		for _, l := range figures.Wrap(figures.Printable(gateTitle(g)), p.width-gateIndent) {
			p.line("  ", p.style(verdictStyle(g.Verdict), verdict), blanks(verdict, gateIndent-2), l)
			verdict = ""
		}
		p.wrapped("", figures.Printable(GateReason(g)), gateIndent)
		if g.Verdict == record.Inconclusive && g.PairsNeeded > 0 {
			p.wrapped("", fmt.Sprintf("about %s would decide: --pairs %d", figures.Count(g.PairsNeeded, "pair"), g.PairsNeeded), gateIndent)
		}
	}
}

func gateTitle(g record.Gate) string {
	title := g.Metric
	if g.Group != "" {
		title += " " + g.Group
	}
	title += ", " + g.Arm + ": " + g.Bound
	if g.Line > 0 {
		title += fmt.Sprintf(" (line %d)", g.Line)
	}
	return title
}

// GateReason says what a verdict rests on.
func GateReason(g record.Gate) string {
	var parts []string
	if g.Reason != "" {
		parts = append(parts, g.Reason)
	}
	info, _ := gate.MetricInfo(g.Metric)
	bounds := gateBounds(g, info)
	switch {
	case bounds != "":
		parts = append(parts, bounds, figures.Probability(g.P), fmt.Sprintf("alpha = %.3g", g.Alpha))
	case g.Reason == "":
		parts = append(parts, "too few pairs for a bound")
	}
	if g.Pairs > 0 {
		parts = append(parts, figures.Count(g.Pairs, "pair"))
	}
	if g.MDE > 0 && g.Verdict == record.Pass {
		parts = append(parts, "would have found "+mdeText(g, info.Unit)+" in 4 of 5 runs")
	}
	return strings.Join(parts, ", ")
}

// scale is what the bounds of a gate are.
type scale uint8

const (
	ofRatio scale = iota // to the baseline
	ofDifference
	ofValue // the arm's own
)

// gateScale reads the scale from the bound's key.
func gateScale(g record.Gate) scale {
	switch key, _, _ := strings.Cut(g.Bound, " "); key {
	case "max", "min":
		return ofValue
	case "max_increase":
		return ofDifference
	}
	return ofRatio
}

// gateBounds says between what the change, or the arm's own value, lies; ""
// where neither end is known. A metric of which more is better is gated by its
// decrease.
func gateBounds(g record.Gate, info gate.Metric) string {
	s := gateScale(g)
	if figures.Unbounded(record.Change{IsDiff: s != ofRatio, Low: g.Lower, High: g.Upper}) {
		return ""
	}
	what := "change"
	if !info.LowerBetter {
		what = "decrease"
	}
	var end func(v float64) string
	switch s {
	case ofRatio:
		factor := figures.AsFactor(g.Lower) || figures.AsFactor(g.Upper)
		end = func(v float64) string { return figures.Ratio(v, factor) }
	case ofDifference:
		end = func(v float64) string { return figures.Difference(v, info.Unit) }
	case ofValue:
		what = "value"
		end = func(v float64) string { return figures.Number(v, info.Unit) }
	}
	return what + " between " + end(g.Lower) + " and " + end(g.Upper)
}

func mdeText(g record.Gate, unit string) string {
	if gateScale(g) == ofRatio {
		return figures.Signed(100*g.MDE) + " %"
	}
	return figures.Difference(g.MDE, unit)
}
