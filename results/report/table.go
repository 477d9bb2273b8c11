package report

import (
	"slices"
	"strconv"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// columns are the widths of a comparison's columns.
type columns struct {
	name, part, value, change, span int
}

// columns fits the comparison into the page; a narrow one has no interval.
func (p *printer) columns() columns {
	switch {
	case p.width >= 80:
		return columns{20, 4, 12, 10, 22}
	case p.width >= 60:
		return columns{12, 4, 9, 8, 18}
	}
	return columns{9, 4, 9, 9, 0}
}

// comparison writes the tables of an arm against the baseline: of the whole
// run, of each step of a rollout, of each cell of a sweep.
func (p *printer) comparison(run Run, arm string) {
	p.line()
	p.header(run, arm)
	for _, r := range run.mainRows(arm, "") {
		p.row(r)
	}
	p.steps(run, arm)
	p.cells(run, arm)
	if len(run.Decisions) == 0 || run.compared("size", arm) {
		p.byGroup(run, "size", arm, "by deployments of the project, TTFB")
	}
}

// steps writes the rows of each step of a rollout. The steps that have no
// interval, since the pairs are too few, are folded into one line.
func (p *printer) steps(run Run, arm string) {
	folded := 0
	for _, g := range run.Groups(stepKey) {
		rows := run.mainRows(arm, g)
		if !compared(rows) {
			folded += len(rows)
			continue
		}
		p.line(p.style(bold, figures.Printable(g)))
		for _, r := range rows {
			p.row(r)
		}
	}
	if folded > 0 {
		p.wrapped("", "by step: "+units.Count(folded, "more value")+" without an interval; they are in "+record.SummaryFile, 0)
	}
}

// compared tells whether a row has an interval.
func compared(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.change != "" })
}

// compared tells whether a group of a key has an interval of the TTFB.
func (r Run) compared(key, arm string) bool {
	return slices.ContainsFunc(r.Groups(key), func(g string) bool {
		return compared(r.quantileRows(metric.TTFB, "", g, arm))
	})
}

// byGroup writes the TTFB of each group of a key.
func (p *printer) byGroup(run Run, key, arm, title string) {
	groups := run.Groups(key)
	if len(groups) == 0 {
		return
	}
	p.line()
	p.line(p.style(bold, title))
	for _, g := range groups {
		for _, r := range run.quantileRows(metric.TTFB, groupValue(g), g, arm) {
			p.row(r)
		}
	}
}

func groupValue(group string) string {
	_, value, found := strings.Cut(group, "=")
	if n := groupNumber(group); found && n >= 1000 {
		return units.Thousands(float64(n))
	}
	return value
}

func (p *printer) header(run Run, arm string) {
	c := p.columns()
	name := func(s string) string { return right(figures.Cut(figures.Escape(s), c.value-1), c.value) }
	line := pad("", c.name+c.part) + name(run.Summary.Baseline)
	if arm != "" {
		line += name(arm) + right("change", c.change) + right(confidence(run, c.span), c.span)
	}
	p.line(p.style(bold, line))
}

func confidence(run Run, width int) string {
	if width == 0 {
		return ""
	}
	percent := strconv.FormatFloat(100*run.Summary.Confidence, 'g', 4, 64) + " %"
	if width < 20 {
		return percent
	}
	return percent + " interval"
}

func (p *printer) row(r row) {
	c := p.columns()
	change := right(r.change, c.change)
	switch r.sense {
	case figures.Better:
		change = p.style(green, change)
	case figures.Worse:
		change = p.style(red, change)
	}
	span := ""
	if c.span > 0 {
		span = right(r.span, c.span)
		if strings.HasPrefix(r.span, "pooled") {
			span = p.style(faint, span)
		}
	}
	p.line(pad(figures.Cut(figures.Escape(r.name), c.name-1), c.name), pad(r.part, c.part),
		right(r.baseline, c.value), right(r.arm, c.value), change, span)
}
