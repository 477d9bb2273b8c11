package report

import (
	"fmt"
	"strings"

	"switchback/results/gate"
	"switchback/results/record"
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
		verdict := cut(escape(g.Verdict), gateIndent-3)
		for _, l := range wrap(printable(gateTitle(g)), p.width-gateIndent) {
			p.line("  ", p.style(verdictStyle(g.Verdict), verdict), blanks(verdict, gateIndent-2), l)
			verdict = ""
		}
		p.wrapped("", printable(gateReason(g)), gateIndent)
		if g.Verdict == record.Inconclusive && g.PairsNeeded > 0 {
			p.wrapped("", fmt.Sprintf("about %s would decide: --pairs %d", count(g.PairsNeeded, "pair"), g.PairsNeeded), gateIndent)
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

// gateReason says what a verdict rests on.
func gateReason(g record.Gate) string {
	if g.Reason != "" {
		return g.Reason
	}
	info, _ := gate.MetricInfo(g.Metric)
	parts := []string{gateBounds(g, info.Unit), probability(g.P), fmt.Sprintf("alpha = %g", g.Alpha)}
	if g.Pairs > 0 {
		parts = append(parts, count(g.Pairs, "pair"))
	}
	if g.MDE > 0 {
		parts = append(parts, "would have found "+mdeText(g, info.Unit)+" in 4 of 5 runs")
	}
	return strings.Join(parts, ", ")
}

// gateBounds says between what the change, or the arm's own value, lies.
func gateBounds(g record.Gate, unit string) string {
	c := record.Change{IsDiff: g.IsDiff, Low: g.Lower, High: g.Upper}
	if unbounded(c) {
		return "too few pairs for a bound"
	}
	factor := asFactor(g.Lower) || asFactor(g.Upper)
	end := func(v float64) string { return ratio(v, factor) }
	if g.IsDiff {
		end = func(v float64) string { return difference(v, unit) }
	}
	return "between " + end(g.Lower) + " and " + end(g.Upper)
}

func mdeText(g record.Gate, unit string) string {
	if g.IsDiff {
		return difference(g.MDE, unit)
	}
	return signed(100*g.MDE) + " %"
}
