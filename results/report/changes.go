package report

import (
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
)

// changes writes what a change while serving did: each arm before, in and
// after the windows, and what the change itself took.
func (p *printer) changes(run Run) {
	groups := run.Groups("change")
	if len(groups) == 0 {
		return
	}
	slices.SortFunc(groups, func(a, b string) int { return stretchPlace(a) - stretchPlace(b) })
	column := min((p.width-positionColumns)/3, 12)
	p.line()
	p.line(p.style(bold, "change while serving, TTFB and errors, pooled"))
	p.line(p.style(bold, pad("", positionColumns)+right("p50", column)+right("p99", column)+right("errors", column)))
	for _, g := range groups {
		name := groupValue(g)
		for _, arm := range run.Summary.Arms {
			p.line(pad(figures.Cut(figures.Escape(name), 9), 10) + pad(figures.Cut(figures.Escape(arm), 13), 14) + right(run.value(metric.TTFB+metric.P50, g, arm), column) +
				right(run.value(metric.TTFB+metric.P99, g, arm), column) + right(run.value(metric.ErrorsRatio, g, arm), column))
			name = ""
		}
	}
	p.changeFacts(run)
}

// changeFacts writes the metrics of the changes themselves.
func (p *printer) changeFacts(run Run) {
	for _, fact := range [][2]string{{metric.ChangeTook, "the command took"}, {metric.ChangeEffect, "time to effect"},
		{metric.ChangeMemoryPeak, "peak memory in the windows"}} {
		var values []string
		for _, arm := range run.Summary.Arms {
			if v := run.value(fact[0], "", arm); v != "-" {
				values = append(values, v+" ("+arm+")")
			}
		}
		if len(values) > 0 {
			p.wrapped("  ", figures.Printable(fact[1]+": "+strings.Join(values, ", ")), 4)
		}
	}
}

// stretchPlace orders the groups of a change by time.
func stretchPlace(group string) int {
	return slices.Index([]string{"change=before", "change=in", "change=after"}, group)
}

// notes writes what was found before anything was measured.
func (p *printer) notes(m record.Manifest) {
	if len(m.Notes) == 0 {
		return
	}
	p.line()
	p.list(m.Notes)
}
