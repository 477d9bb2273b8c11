package report

import (
	"fmt"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// cells writes the cells of a sweep against the baseline: for the leading metric,
// each that a gate is about and those of every sweep a row a cell; then how costs grow along the axes.
func (p *printer) cells(run Run, arm string) {
	cells := run.cells()
	if len(cells) == 0 {
		return
	}
	leading := run.leading(cells)
	names := []string{leading}
	for _, name := range slices.Concat(run.Gated(), metric.In(metric.Cells)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		p.cellRows(run, name, arm, cells, name == leading)
	}
	p.growth(run, arm, leading)
}

// Gated returns the metrics that the file's gates are about, in their order.
func (r Run) Gated() []string {
	var names []string
	for _, g := range r.Summary.Gates {
		if g.Line > 0 && !slices.Contains(names, g.Metric) {
			names = append(names, g.Metric)
		}
	}
	return names
}

// cells returns the groups of a sweep's cells in the order of the run. The
// groups within a cell are named after it.
func (r Run) cells() []string {
	var cells []string
	for _, m := range r.Summary.Metrics {
		within := func(cell string) bool { return m.Group == cell || strings.HasPrefix(m.Group, cell+",") }
		if strings.HasPrefix(m.Group, "sweep=") && !slices.ContainsFunc(cells, within) {
			cells = append(cells, m.Group)
		}
	}
	return cells
}

// leading returns the metric that a sweep is shown by: the median TTFB, or the
// mean where a block of some cell is too short for a median.
func (r Run) leading(cells []string) string {
	for _, cell := range cells {
		if m, ok := r.Find(metric.TTFB+metric.P50, cell); !ok || m.Pooled {
			return metric.TTFB + metric.Mean
		}
	}
	return metric.TTFB + metric.P50
}

// cellRows writes a metric of each cell, with positions also of its requests
// by the position of the match. A metric that no cell has is left out.
func (p *printer) cellRows(run Run, metric, arm string, cells []string, positions bool) {
	title := figures.MetricLabel(metric)
	for _, cell := range cells {
		out, ok := run.compare(metric, cell, arm)
		if !ok {
			continue
		}
		if title != "" {
			p.line()
			p.line(p.style(bold, title))
			title = ""
		}
		out.name = strings.TrimPrefix(cell, "sweep=")
		p.cellRow(out)
		for _, position := range positionGroups() {
			if out, ok := run.compare(metric, cell+","+position, arm); ok && positions {
				out.name = "  " + position
				p.cellRow(out)
			}
		}
	}
}

// cellRow writes a row whose name takes the place of the part too. A longer
// name has a line of its own.
func (p *printer) cellRow(r row) {
	c := p.columns()
	if name := figures.Escape(r.name); len([]rune(name)) >= c.name+c.part {
		p.line(figures.Cut(name, p.width))
		r.name = ""
	} else if len([]rune(name)) >= c.name {
		cut := c.name - 1
		r.name, r.part = string([]rune(name)[:cut]), string([]rune(name)[cut:])
	}
	p.row(r)
}

// growth writes the exponents of the leading metric and of the phases of both
// arms, along each numeric axis.
func (p *printer) growth(run Run, arm, leading string) {
	title := ""
	for _, g := range run.Summary.Growth {
		if g.Arm != run.Summary.Baseline || !shownGrowth(g, leading) {
			continue
		}
		if heading := growthTitle(g); heading != title {
			title = heading
			p.line()
			p.wrapped("", title, 0)
		}
		p.growthRow(run, g, arm)
	}
}

// growthRow writes the baseline's exponent and that of the arm beside it.
func (p *printer) growthRow(run Run, g record.Growth, arm string) {
	c := p.columns()
	name := c.name + c.part
	column := (p.width - name) / 2
	line := pad(figures.Cut(growthName(g), name-1), name) + right(exponentText(g, c.span > 0), column)
	if other, ok := run.growthOf(g, arm); ok {
		line += right(exponentText(other, c.span > 0), column)
	}
	p.line(line)
}

// shownGrowth says whether the text has room for an exponent: of the leading
// family and of routing, of all requests or by position.
func shownGrowth(g record.Growth, leading string) bool {
	family, _, _ := strings.Cut(leading, ".")
	return (g.Metric == family+".mean" || g.Metric == metric.Phase+"route"+metric.Mean || g.Metric == metric.EdgeCPU && g.Group == "") &&
		(g.Group == "" || slices.Contains(positionGroups(), g.Group))
}

func growthTitle(g record.Growth) string {
	at := ""
	if g.At != "" {
		at = " at " + g.At
	}
	return figures.Printable(fmt.Sprintf("exponent of growth along %s%s: 1 is linear, 0 is flat", g.Axis, at))
}

func growthName(g record.Growth) string {
	if g.Group == "" {
		return figures.MetricLabel(g.Metric)
	}
	return "  " + figures.Escape(g.Group)
}

func exponentText(g record.Growth, interval bool) string {
	if !interval {
		return units.Digits(g.Exponent)
	}
	return fmt.Sprintf("%.2f (%.2f … %.2f)", g.Exponent, g.Low, g.High)
}

// growthOf returns another arm's exponent of the same kind.
func (r Run) growthOf(g record.Growth, arm string) (record.Growth, bool) {
	i := slices.IndexFunc(r.Summary.Growth, func(other record.Growth) bool {
		return other.Arm == arm && other.Metric == g.Metric && other.Group == g.Group && other.Axis == g.Axis && other.At == g.At
	})
	if i < 0 {
		return record.Growth{}, false
	}
	return r.Summary.Growth[i], true
}
