package page

import (
	"fmt"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// rolloutView shows what each step did and what the tripwires saw.
type rolloutView struct {
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
	v := &rolloutView{Windows: windowTable(run.Decisions)}
	for i, arm := range run.Summary.Arms {
		columns := report.RolloutColumns()
		t := table{ID: fmt.Sprintf("rollout-%d", i), Title: figures.Name(arm), Columns: append([]string{"step"}, columns[:]...)}
		for _, s := range run.RolloutSteps(arm) {
			r := row{Head: figures.Name(s.Name)}
			for _, text := range s.Figures() {
				r.Cells = append(r.Cells, cell{Text: text})
			}
			t.Rows = append(t.Rows, r)
		}
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
