package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// Comparison shows runs side by side. It tests nothing: the runs were made at
// different times, and what the machine did between is in every difference.
type Comparison struct {
	Runs     []Run
	Rows     []ComparedRow
	Warnings []string // what was not the same
}

// ComparedRow is a metric of an arm, or its change against the baseline, in
// each run.
type ComparedRow struct {
	Metric, Group, Arm string
	Change             bool // the cells are changes, not values
	Cells              []ComparedCell
}

// ComparedCell is what one run found.
type ComparedCell struct {
	Known    bool
	Value    float64
	Text     string // value or change
	Interval string // of a change
	ToFirst  string // a value against that of the first run; "" in the first
	Sense    figures.Sense
}

// Compare puts runs side by side; the first is what the others are seen
// against.
func Compare(runs []Run) Comparison {
	c := Comparison{Runs: runs, Warnings: unequal(runs)}
	for _, at := range comparedPlaces(runs) {
		for _, arm := range armsOfAll(runs) {
			c.add(valueRow(runs, at, arm))
		}
		for _, arm := range armsOfAll(runs) {
			c.add(changeRow(runs, at, arm))
		}
	}
	return c
}

func (c *Comparison) add(r ComparedRow) {
	if slices.ContainsFunc(r.Cells, func(c ComparedCell) bool { return c.Known }) {
		c.Rows = append(c.Rows, r)
	}
}

// comparedPlaces are the metrics that are compared, and the medians of all
// sizes, cells and steps that a run has.
func comparedPlaces(runs []Run) []place {
	var at []place
	for _, name := range metric.In(metric.Compare) {
		at = append(at, place{name, ""})
	}
	for _, key := range []string{"size", "sweep", "step"} {
		for _, r := range runs {
			for _, g := range r.Groups(key) {
				if p := (place{metric.TTFB + metric.P50, g}); !slices.Contains(at, p) {
					at = append(at, p)
				}
			}
		}
	}
	return at
}

func armsOfAll(runs []Run) []string {
	var arms []string
	for _, r := range runs {
		for _, a := range r.Summary.Arms {
			if !slices.Contains(arms, a) {
				arms = append(arms, a)
			}
		}
	}
	return arms
}

func valueRow(runs []Run, at place, arm string) ComparedRow {
	row := ComparedRow{Metric: at.metric, Group: at.group, Arm: arm}
	for i, r := range runs {
		m, _ := r.Find(at.metric, at.group)
		v, ok := m.Arms[arm]
		cell := ComparedCell{Known: ok, Text: "–"}
		if ok {
			cell.Value, cell.Text = v, units.Number(v, m.Unit)
			if i > 0 && row.Cells[0].Known {
				cell.ToFirst = against(v, row.Cells[0].Value, m.Unit)
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// against writes a value as a ratio to another, or as a difference where that
// is zero or both are shares.
func against(v, first float64, unit string) string {
	if units.Endless(v) || units.Endless(first) {
		return ""
	}
	if unit == "ratio" || !(first > 0) || !(v > 0) {
		return units.Difference(v-first, unit)
	}
	r := v / first
	return units.Ratio(r, units.AsFactor(r))
}

func changeRow(runs []Run, at place, arm string) ComparedRow {
	row := ComparedRow{Metric: at.metric, Group: at.group, Arm: arm, Change: true}
	for _, r := range runs {
		m, _ := r.Find(at.metric, at.group)
		change, ok := m.Change[arm]
		cell := ComparedCell{Known: ok, Text: "–"}
		if ok {
			cell.Value, cell.Text, cell.Interval = change.Ratio, figures.Change(at.metric, m.Unit, change), figures.Interval(m.Unit, change)
			if change.IsDiff {
				cell.Value = change.Diff
			}
			cell.Sense = figures.Judge(at.metric, change)
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// unequal says what differs between the runs that should not.
func unequal(runs []Run) []string {
	var warnings []string
	for _, w := range []struct {
		what string
		of   func(Run) string
	}{
		{"experiments", func(r Run) string { return r.Summary.Experiment }},
		{"kinds of machine", func(r Run) string { return fmt.Sprint(r.Manifest.MachineKind) }},
		{"datasets", func(r Run) string { return r.Manifest.DatasetDigest }},
		{"targets", func(r Run) string { return r.Manifest.TargetsDigest }},
		{"baselines", func(r Run) string { return r.Summary.Baseline }},
	} {
		if slices.ContainsFunc(runs, func(r Run) bool { return w.of(r) != w.of(runs[0]) }) {
			warnings = append(warnings, "the runs have different "+w.what)
		}
	}
	for i, r := range runs {
		if !r.Summary.Validity.OK {
			warnings = append(warnings, "the measurement of run "+RunLetter(i)+" is invalid")
		}
	}
	return warnings
}

// RunLetter names the runs of a comparison A, B, C, … Z, 27, 28, …
func RunLetter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprint(i + 1)
}

// Text writes the comparison: the runs by letter, then a table for each few of
// them, the first run always leading.
func (c Comparison) Text(w io.Writer, o TextOptions) error {
	p := &printer{w: w, width: o.width(), color: o.Color}
	for i, r := range c.Runs {
		s := r.Summary
		p.line(p.style(bold, RunLetter(i)), "  ", figures.Cut(figures.Escape(s.Run), 40), "  ", p.style(verdictStyle(s.Verdict), figures.Cut(figures.Escape(s.Verdict), 20)))
		p.wrapped("", fmt.Sprintf("%s, %s, seed %d", units.Count(s.Pairs, "pair"), units.Count(s.Requests, "request"), s.Seed), 3)
	}
	abreast := max((p.width-comparedName-comparedArm)/comparedValue, 2)
	for from := 1; ; from += abreast - 1 {
		shown := []int{0}
		for i := from; i < min(from+abreast-1, len(c.Runs)); i++ {
			shown = append(shown, i)
		}
		p.compared(c, shown)
		if from+abreast-1 >= len(c.Runs) {
			break
		}
	}
	p.line()
	p.wrapped("", "Nothing is tested here: the runs were made at different times. ~ where a run could not tell its arms apart. switchback gate RUN --reference RUN tests.", 0)
	for _, warning := range c.Warnings {
		p.wrapped("  ! ", warning, 4)
	}
	return p.err
}

// The widths of a comparison's columns.
const (
	comparedName  = 28
	comparedArm   = 12
	comparedValue = 20
)

func (p *printer) compared(c Comparison, shown []int) {
	p.line()
	title := blanks("", comparedName+comparedArm)
	for _, i := range shown {
		title += right(RunLetter(i), comparedValue)
	}
	p.line(p.style(bold, title))
	last := place{}
	for _, r := range c.Rows {
		name := strings.TrimSpace(figures.MetricLabel(r.Metric) + " " + figures.GroupLabel(r.Group))
		at := place{r.Metric, r.Group}
		if at == last {
			name = ""
		}
		last = at
		line := pad(figures.Cut(name, comparedName-1), comparedName) + pad(figures.Cut(figures.Escape(rowArm(r)), comparedArm-1), comparedArm)
		for _, i := range shown {
			line += right(comparedText(r, r.Cells[i]), comparedValue)
		}
		p.line(line)
	}
}

func rowArm(r ComparedRow) string {
	if r.Change {
		return "Δ " + r.Arm
	}
	return r.Arm
}

// comparedText writes a value with how it stands to that of the first run, or
// a change.
func comparedText(r ComparedRow, c ComparedCell) string {
	switch {
	case r.Change && c.Known && (c.Text == "" || c.Text == "~"):
		return c.Interval
	case c.ToFirst != "":
		return c.ToFirst + " " + right(c.Text, 9)
	}
	return c.Text
}
