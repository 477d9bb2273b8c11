package page

import (
	"fmt"
	"io"

	"switchback/results/metric"
	"switchback/results/report"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// comparisonView is the page of runs side by side.
type comparisonView struct {
	Runs     []comparedRun
	Warnings []string
	Curve    *chart
	Effects  []effectPlot
	Table    table
}

type comparedRun struct {
	Letter, Name, Link, State, Sentence, Size string
	Tone                                      int
}

// WriteComparison writes the page of runs side by side. links are where each
// run's own page is; empty ones are not linked.
func WriteComparison(w io.Writer, runs []Run, links []string) error {
	var plain []report.Run
	for _, r := range runs {
		plain = append(plain, r.Run)
	}
	c := report.Compare(plain)
	v := comparisonView{Warnings: printables(c.Warnings), Effects: comparedEffects(runs), Table: comparedTable(c)}
	if curve := comparedCurve(runs); curve.draw() {
		v.Curve = curve
	}
	for i, r := range runs {
		s := r.Summary
		row := comparedRun{Letter: report.RunLetter(i), Name: figures.Name(s.Run), State: figures.Name(s.Verdict), Tone: i % tones, Link: links[i],
			Size: fmt.Sprintf("%s, %s, seed %d", units.Count(s.Pairs, "pair"), units.Count(s.Requests, "request"), s.Seed)}
		if said := r.Sentences(); len(said) > 0 {
			row.Sentence = said[0]
		}
		v.Runs = append(v.Runs, row)
	}
	return execute(w, "compare", "switchback: runs side by side", v)
}

// comparedCurve shows the TTFB of every arm of every run.
func comparedCurve(runs []Run) *chart {
	c := &chart{ID: "curve-ttfb", Title: "Time to first byte, by percentile", XUnit: percentile, YUnit: "s", XLog: true, YLog: true, Height: 320,
		Caption: "A colour for each run; dashed: its baseline. All blocks of an arm together."}
	for i, r := range runs {
		for _, arm := range r.Summary.Arms {
			if r.Pool == nil || len(c.Lines) >= linesShown {
				continue
			}
			before := len(c.Lines)
			c.curve(r, arm, metric.TTFB, arm == r.Summary.Baseline)
			if len(c.Lines) > before {
				l := &c.Lines[before]
				l.Name, l.Tone = report.RunLetter(i)+" "+figures.Name(arm), i%tones
			}
		}
	}
	return c
}

// comparedEffects shows what each arm changed in each run, on one axis.
func comparedEffects(runs []Run) []effectPlot {
	var plots []effectPlot
	for _, arm := range armsBeyond(runs) {
		var all []change
		for i, r := range runs {
			for _, c := range changesOf(r, arm) {
				c.run = report.RunLetter(i)
				all = append(all, c)
			}
		}
		if all = byMetric(all); len(all) > 0 {
			plots = append(plots, effectPlotOf(runs[0], arm, all))
		}
	}
	return plots
}

// armsBeyond are the arms that any run compares with its baseline.
func armsBeyond(runs []Run) []string {
	seen := map[string]bool{}
	var arms []string
	for _, r := range runs {
		for _, a := range r.Candidates() {
			if !seen[a] {
				seen[a] = true
				arms = append(arms, a)
			}
		}
	}
	return arms
}

// byMetric puts the changes of one metric together, in the order in which the
// metrics were met.
func byMetric(all []change) []change {
	type key struct{ metric, group string }
	places := map[key][]change{}
	var order []key
	for _, c := range all {
		k := key{c.metric.Name, c.metric.Group}
		if places[k] == nil {
			order = append(order, k)
		}
		places[k] = append(places[k], c)
	}
	var sorted []change
	for _, k := range order {
		sorted = append(sorted, places[k]...)
	}
	return sorted
}

func comparedTable(c report.Comparison) table {
	t := table{ID: "compared", Columns: []string{"metric", "arm"}}
	for i := range c.Runs {
		t.Columns = append(t.Columns, report.RunLetter(i))
		if i > 0 {
			t.Columns = append(t.Columns, report.RunLetter(i)+" against A")
		}
	}
	for _, r := range c.Rows {
		out := row{Head: figures.MetricLabel(r.Metric), Part: figures.GroupLabel(r.Group), Cells: []cell{{Text: figures.Name(r.Arm), Word: true}}}
		if r.Change {
			out.Cells[0].Text = "change by " + figures.Name(r.Arm)
		}
		for i, v := range r.Cells {
			out.Cells = append(out.Cells, comparedCellOf(r, v))
			if i > 0 {
				out.Cells = append(out.Cells, cell{Text: v.ToFirst})
			}
		}
		t.Rows = append(t.Rows, out)
	}
	return t
}

func comparedCellOf(r report.ComparedRow, v report.ComparedCell) cell {
	switch {
	case !v.Known:
		return cell{Text: "–"}
	case r.Change:
		return cell{Text: v.Text + " (" + v.Interval + ")", Sense: senseClass(v.Sense)}
	}
	return cell{Text: v.Text, Exact: exact(v.Value)}
}
