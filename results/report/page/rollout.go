package page

import (
	"fmt"
	"math"
	"strings"
	"time"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// rolloutView shows what a rollout cost in all, what happened in time, what
// each step did and what the tripwires saw.
type rolloutView struct {
	Totals  table
	Charts  []*chart
	Steps   []table // one for each arm
	Trips   []string
	Windows *table
}

// windowsListed bounds the windows that are listed; all are in rollout.jsonl.
const windowsListed = 300

func rolloutOf(run Run) *rolloutView {
	if len(run.Decisions) == 0 {
		return nil
	}
	v := &rolloutView{Windows: windowTable(run.Decisions), Totals: rolloutTotals(run), Charts: drawnOf(rolloutCharts(run)...)}
	for i, arm := range run.Summary.Arms {
		steps := run.RolloutSteps(arm)
		columns := report.RolloutColumns(steps)
		t := table{ID: fmt.Sprintf("rollout-%d", i), Title: figures.Name(arm), Columns: append([]string{"step"}, columns[:]...)}
		for _, s := range steps {
			r := row{Head: figures.Name(s.Name)}
			for _, text := range s.Figures() {
				r.Cells = append(r.Cells, cell{Text: text})
			}
			t.Rows = append(t.Rows, r)
		}
		t.About = strings.Join(printables(report.RolloutNotes(steps)), "; ")
		if len(t.Rows) > 0 {
			v.Steps = append(v.Steps, t)
		}
	}
	for _, d := range run.Decisions {
		if d.Reason != "" {
			v.Trips = append(v.Trips, fmt.Sprintf("%s: %s in step %s after %.1f s: %s", d.Arm, d.Action, d.Step, d.At, d.Reason))
		}
	}
	v.Trips = printables(v.Trips)
	return v
}

// rolloutTotals are the metrics of the whole rollout, a row each.
func rolloutTotals(run Run) table {
	t := table{ID: "rollout-totals", Columns: metricColumns(run, "in all steps")}
	for _, name := range []string{metric.RolloutExtraOrigin, metric.RolloutExpectedOrigin, metric.RolloutPeakOrigin, metric.NodesRetries, metric.ErrorsRatio} {
		if m, ok := run.Find(name, ""); ok {
			r := metricRow(run, m)
			r.Head, r.Part = rolloutWords(name), ""
			t.Rows = append(t.Rows, r)
		}
	}
	return t
}

// rolloutWords says what a metric is in a rollout.
func rolloutWords(name string) string {
	switch name {
	case metric.RolloutExtraOrigin:
		return "asked again"
	case metric.RolloutExpectedOrigin:
		return "by formula"
	case metric.RolloutPeakOrigin:
		return "worst second, asked again"
	}
	return figures.MetricLabel(name)
}

// rolloutCharts show the share of the requests on the new version, the load of
// the origin and the hit ratio in time.
func rolloutCharts(run Run) []*chart {
	if len(run.Seconds) == 0 {
		return nil
	}
	start := run.Seconds[0].Time
	bands, marks := bandsOf(run, start), tripMarks(run.Decisions, start)
	share := &chart{ID: "rollout-share", Title: "Share of the requests on the new version", XUnit: elapsed, YUnit: "ratio", Height: 170,
		Bands: bands, Marks: marks, Caption: bandsSaid(run)}
	for _, arm := range run.Summary.Arms {
		l := line{Name: figures.Name(arm), Tone: run.tone(arm)}
		l.X, l.Y = sharesOf(run.Decisions, arm, start)
		share.Lines = append(share.Lines, l)
	}
	charts := []*chart{share}
	for _, q := range quantities() {
		if q.id == "origin" || q.id == "hits" {
			charts = append(charts, secondsChart(run, "rollout-"+q.id, q, start, bands, marks))
		}
	}
	return charts
}

// sharesOf returns the share of an arm's requests that the new version served, a
// level for each stretch, with a gap between blocks.
func sharesOf(decisions []record.Decision, arm string, start time.Time) (x, y []float64) {
	pair := -1
	for _, d := range decisions {
		if d.Arm != arm || d.Requests == 0 || d.Window == 0 {
			continue
		}
		end := d.Time.Sub(start).Seconds()
		if share := float64(d.OnNew) / float64(d.Requests); len(x) > 0 && d.Pair != pair {
			x, y = append(x, end-d.Window, end-d.Window, end), append(y, math.NaN(), share, share)
		} else {
			x, y = append(x, end-d.Window, end), append(y, share, share)
		}
		pair = d.Pair
	}
	return x, y
}

// windowTable lists the windows that tripwires judged, with what each saw.
func windowTable(decisions []record.Decision) *table {
	t := &table{ID: "windows", Title: "Every window that the tripwires judged", Columns: []string{"step", "arm", "after", "decision", "tripwires"}}
	left := 0
	for _, d := range decisions {
		switch {
		case len(d.Tripwires) == 0:
		case len(t.Rows) == windowsListed:
			left++
		default:
			t.Rows = append(t.Rows, row{Head: figures.Name(d.Step), Cells: []cell{{Text: figures.Name(d.Arm), Word: true},
				{Text: fmt.Sprintf("%.1f s", d.At)}, {Text: figures.Name(d.Action), Word: true}, {Text: wiresText(d.Tripwires), Word: true}}})
		}
	}
	if t.Rows == nil {
		return nil
	}
	if left > 0 {
		t.More = units.Thousands(float64(left)) + " more are in " + record.RolloutFile
	}
	return t
}

// wiresText says how tripwires stood: "ttfb.p50 297 ms (max 200ms) tripped".
func wiresText(wires []record.Tripwire) string {
	var parts []string
	for _, w := range wires {
		info, _ := metric.Lookup(w.Metric)
		text := strings.TrimSpace(w.Metric+" "+w.Group) + " not known"
		if w.Value != nil {
			text = strings.TrimSpace(w.Metric+" "+w.Group) + " " + units.Number(*w.Value, info.Unit)
		}
		text += " (" + w.Bound
		if w.Base != nil {
			text += " of " + units.Number(*w.Base, info.Unit)
		}
		text += ")"
		if w.Tripped {
			text += " tripped"
		}
		parts = append(parts, text)
	}
	return figures.Printable(strings.Join(parts, ", "))
}
