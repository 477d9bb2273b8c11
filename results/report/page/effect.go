package page

import (
	"math"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// effectPlot shows the changes of an arm against the baseline: ratios with
// their intervals on one log axis.
type effectPlot struct {
	Arm, Baseline string
	Ticks         []tick
	One           string // place of "no change"
	Rows          []effectRow
}

// effectRow is a metric; places are percents of the axis.
type effectRow struct {
	Metric, Group     string
	Name, Part        string
	Sense             string
	Low, High, Middle string
	Width             string
	Margin            string // of a gate; "" for none
	MarginText        string
	Change, Interval  string
	Ratio, From, To   string // exact
	GroupStart        bool
}

// change is a ratio to be plotted.
type change struct {
	metric record.Metric
	c      record.Change
	margin float64 // a ratio; 0: none
	run    string  // letter of the run, where there are several
}

func effectsOf(run Run) []effectPlot {
	var plots []effectPlot
	for _, arm := range run.Candidates() {
		changes := changesOf(run, arm)
		if len(changes) > 0 {
			plots = append(plots, effectPlotOf(run, arm, changes))
		}
	}
	return plots
}

// changesOf collects the ratios worth a row: of all requests, of each size and
// cell, and whatever a gate is about.
func changesOf(run Run, arm string) []change {
	var all []change
	add := func(name, group string) {
		m, ok := run.Find(name, group)
		c, has := m.Change[arm]
		if !ok || !has || c.IsDiff || m.Pooled || figures.Unbounded(c) || !(c.Ratio > 0) {
			return
		}
		if !slices.ContainsFunc(all, func(c change) bool { return c.metric.Name == name && c.metric.Group == group }) {
			all = append(all, change{metric: m, c: c, margin: marginOf(run, arm, m)})
		}
	}
	for _, name := range metric.In(metric.Effects) {
		add(name, "")
	}
	for _, key := range []string{"size", "step"} {
		for _, group := range run.Groups(key) {
			add(metric.TTFB+metric.P50, group)
		}
	}
	for _, cell := range cellsOf(run) {
		add(metric.TTFB+metric.P50, sweepGroup(cell))
	}
	for _, g := range run.Summary.Gates {
		if g.Arm == arm {
			add(g.Metric, g.Group)
		}
	}
	return all
}

// marginOf returns the ratio that a gate allows, 0 where none bounds it.
func marginOf(run Run, arm string, m record.Metric) float64 {
	for _, g := range run.Summary.Gates {
		info, known := metric.Lookup(g.Metric)
		if g.Metric != m.Name || g.Group != m.Group || g.Arm != arm || !known || info.Kind != metric.Ratio {
			continue
		}
		if strings.HasPrefix(g.Bound, "max_regression") || strings.HasPrefix(g.Bound, "min_improvement") {
			return 1 + g.Margin
		}
	}
	return 0
}

func effectPlotOf(run Run, arm string, changes []change) effectPlot {
	axis := effectScale(changes)
	p := effectPlot{Arm: figures.Name(arm), Baseline: figures.Name(run.Summary.Baseline), One: percent(axis.at(1))}
	for _, v := range axis.ticks(6) {
		p.Ticks = append(p.Ticks, effectTick(axis, v))
	}
	for i, c := range changes {
		row := c.row(axis)
		row.GroupStart = i > 0 && (c.metric.Group != "") != (changes[i-1].metric.Group != "")
		p.Rows = append(p.Rows, row)
	}
	return p
}

// effectScale holds every interval, margin and "no change".
func effectScale(changes []change) scale {
	values := []float64{1, 1.02, 0.98}
	for _, c := range changes {
		values = append(values, c.c.Ratio)
		for _, end := range []float64{c.c.Low, c.c.High, c.margin} {
			if end > 0 && !units.Endless(end) {
				values = append(values, end)
			}
		}
	}
	s, _ := newScale(true, values)
	return s
}

func effectTick(axis scale, v float64) tick {
	t := tick{At: percent(axis.at(v)), Label: effectLabel(v)}
	switch at := axis.at(v); {
	case at < 0.06:
		t.Edge = "first"
	case at > 0.94:
		t.Edge = "last"
	}
	return t
}

// effectLabel writes a ratio of the axis: ÷100, −10 %, same, ×2.
func effectLabel(v float64) string {
	switch {
	case math.Abs(v-1) < 1e-9:
		return "same"
	case units.AsFactor(v) && v < 1:
		return "÷" + trimZeros(units.Digits(1/v))
	case units.AsFactor(v):
		return "×" + trimZeros(units.Digits(v))
	}
	return trimZeros(units.Ratio(v, false))
}

func (c change) row(axis scale) effectRow {
	m := c.metric
	low, high := c.c.Low, c.c.High
	if units.Endless(low) || low <= 0 {
		low = axis.min
	}
	if units.Endless(high) {
		high = axis.max
	}
	row := effectRow{Metric: m.Name, Group: m.Group, Name: figures.MetricLabel(m.Name), Part: strings.TrimSpace(figures.GroupLabel(m.Group) + " " + c.run), Sense: senseClass(figures.Judge(m.Name, c.c)),
		Low: percent(axis.at(low)), High: percent(axis.at(high)), Middle: percent(axis.at(c.c.Ratio)),
		Width:  percent(axis.at(high) - axis.at(low)),
		Change: figures.Change(m.Name, m.Unit, c.c), Interval: figures.Interval(m.Unit, c.c),
		Ratio: exact(c.c.Ratio), From: exact(c.c.Low), To: exact(c.c.High)}
	if c.margin > 0 {
		row.Margin, row.MarginText = percent(axis.at(c.margin)), "gate at "+units.Ratio(c.margin, units.AsFactor(c.margin))
	}
	return row
}

func senseClass(s figures.Sense) string {
	switch s {
	case figures.Better:
		return "better"
	case figures.Worse:
		return "worse"
	case figures.Same:
		return "same"
	}
	return "unjudged"
}
