package page

import (
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// sweepView shows the cells of a sweep.
type sweepView struct {
	Charts []*chart
	Growth *table
	Table  table
}

// linesShown bounds the lines of a chart of a sweep.
const linesShown = 12

// cellsOf returns the cells of a sweep in the order in which they were run.
func cellsOf(run Run) []string {
	var cells []string
	for _, b := range run.Blocks {
		if b.Cell != "" && !slices.Contains(cells, b.Cell) {
			cells = append(cells, b.Cell)
		}
	}
	return cells
}

func sweepOf(run Run) *sweepView {
	cells := cellsOf(run)
	if len(cells) == 0 {
		return nil
	}
	v := &sweepView{Growth: growthTable(run), Table: table{ID: "cells", Columns: metricColumns(run, "cell")}}
	shown := metric.In(metric.CellTable)
	for _, name := range run.Gated() {
		if !slices.Contains(shown, name) {
			shown = append(shown, name)
		}
	}
	for _, cell := range cells {
		for _, name := range shown {
			m, ok := run.Find(name, sweepGroup(cell))
			if !ok {
				continue
			}
			r := metricRow(run, m)
			r.Head, r.Part = figures.Name(cell), figures.MetricLabel(name)
			v.Table.Rows = append(v.Table.Rows, r)
		}
	}
	for _, axis := range axesOf(cells) {
		for _, name := range metric.In(metric.CellCharts) {
			v.Charts = append(v.Charts, sweepChart(run, cells, axis, name))
		}
	}
	v.Charts = drawnOf(v.Charts...)
	return v
}

// axesOf returns the axes along which the cells have at least two numbers.
func axesOf(cells []string) []string {
	values := map[string][]float64{}
	var axes []string
	for _, cell := range cells {
		for _, part := range strings.Split(cell, ",") {
			axis, x, ok := coordinate(part)
			if ok && !slices.Contains(values[axis], x) {
				if values[axis] = append(values[axis], x); len(values[axis]) == 2 {
					axes = append(axes, axis)
				}
			}
		}
	}
	return axes
}

// coordinate reads axis=label, where the label is a number above zero.
func coordinate(part string) (axis string, x float64, ok bool) {
	axis, label, _ := strings.Cut(part, "=")
	a, err := units.ParseAmount(label)
	return axis, a.Value, err == nil && a.Value > 0
}

// sweepChart shows a metric along an axis, a line for each arm and each place
// on the other axes.
func sweepChart(run Run, cells []string, axis, metric string) *chart {
	c := &chart{ID: "sweep-" + metric + "-" + axis, Title: figures.MetricLabel(metric) + " by " + figures.Name(axis), XUnit: plain, XLog: true, YLog: true, Height: 260}
	lines := map[string]*line{}
	var order []string
	for _, cell := range cells {
		x, others, ok := along(cell, axis)
		m, found := run.Find(metric, sweepGroup(cell))
		if !ok || !found {
			continue
		}
		c.YUnit = m.Unit
		for _, arm := range run.Summary.Arms {
			v, has := m.Arms[arm]
			key := strings.TrimSpace(figures.Name(arm) + " " + figures.Name(others))
			if lines[key] == nil && has && len(lines) < linesShown {
				lines[key] = &line{Name: key, Tone: run.tone(arm), Dash: len(order) >= len(run.Summary.Arms)}
				order = append(order, key)
			}
			if l := lines[key]; l != nil && has {
				l.X, l.Y = append(l.X, x), append(l.Y, v)
			}
		}
	}
	for _, key := range order {
		c.Lines = append(c.Lines, *lines[key])
	}
	return c
}

// along returns a cell's place on an axis, and its places on the others.
func along(cell, axis string) (x float64, others string, ok bool) {
	var rest []string
	for _, part := range strings.Split(cell, ",") {
		if a, v, numeric := coordinate(part); a == axis && numeric {
			x, ok = v, true
			continue
		}
		rest = append(rest, part)
	}
	return x, strings.Join(rest, ","), ok
}

// growthTable shows the exponents that were fitted.
func growthTable(run Run) *table {
	t := &table{ID: "growth", Title: "Growth", About: "The exponent e of metric ∝ axisᵉ: 1 is linear, 0 is flat.",
		Columns: []string{"metric", "arm", "axis", "exponent", "interval"}}
	for _, g := range run.Summary.Growth {
		along := figures.Name(g.Axis)
		if g.At != "" {
			along += " at " + figures.Name(g.At)
		}
		t.Rows = append(t.Rows, row{Head: figures.MetricLabel(g.Metric), Part: figures.GroupLabel(g.Group), Cells: []cell{
			{Text: figures.Name(g.Arm), Word: true}, {Text: along, Word: true},
			{Text: units.Digits(g.Exponent), Exact: exact(g.Exponent)},
			{Text: units.Span(units.Digits(g.Low), units.Digits(g.High))}}})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// sweepGroup is the group in which the summary has the metrics of a cell.
func sweepGroup(cell string) string { return "sweep=" + cell }
