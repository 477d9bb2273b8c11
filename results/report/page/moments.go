package page

import (
	"strings"
	"time"

	"switchback/results/record"
	"switchback/results/report/figures"
)

// cellBands are the stretches of the cells of a sweep.
func cellBands(blocks []record.Block, start time.Time) []band {
	var bands []band
	for _, b := range blocks {
		if b.Cell == "" {
			return nil
		}
		from := b.Start.Sub(start).Seconds()
		if n := len(bands); n == 0 || bands[n-1].Label != figures.Name(b.Cell) {
			bands = append(bands, band{From: from, Label: figures.Name(b.Cell), Filled: n%2 == 0})
		}
		bands[len(bands)-1].To = from + b.Length + b.Drain
	}
	return bands
}

// stepBands are the steps of rollouts, each until the next begins or its course
// ends. Steps that end as one, as after a tripwire, are one.
func stepBands(decisions []record.Decision, start time.Time) []band {
	var bands []band
	var last record.Decision
	for _, d := range decisions {
		at, n := d.Time.Sub(start).Seconds(), len(bands)
		same := n > 0 && d.Step == last.Step && d.Arm == last.Arm && d.Pair == last.Pair && d.Cell == last.Cell
		if d.Action == record.Begin && !same {
			bands = append(bands, band{From: at, To: at, Label: figures.Name(d.Step), Filled: n%2 == 0})
			last = d
		} else if n > 0 {
			bands[n-1].To = max(bands[n-1].To, at)
		}
	}
	return bands
}

// tripMarks are the moments at which tripwires tripped, with what they saw.
func tripMarks(decisions []record.Decision, start time.Time) []mark {
	var marks []mark
	for _, d := range decisions {
		if d.Reason != "" && len(marks) < launchesMarked {
			marks = append(marks, mark{X: d.Time.Sub(start).Seconds(), Label: figures.Cut(figures.Escape(d.Action+": "+d.Reason), 80), Kind: "trip"})
		}
	}
	return marks
}

// changeBands are the windows of the changes in every block: of the arm that is
// changed, and the same ones of the others, whose results stand beside it.
func changeBands(blocks []record.Block, start time.Time) []band {
	var bands []band
	for _, b := range blocks {
		for _, w := range b.Windows {
			from := b.Start.Sub(start).Seconds() + b.Guard + w.At
			bands = append(bands, band{From: from, To: from + w.Length, Label: doneTo(b.Arm, w), Filled: true})
		}
	}
	return bands
}

// doneTo says what is done to an arm in a window.
func doneTo(arm string, w record.Window) string {
	if w.Arm != arm {
		return "no change"
	}
	return figures.Name(strings.TrimSpace(w.Do + " " + w.With))
}

// bandsOf are the bands of charts in time: the windows of changes, the steps of
// rollouts, or the cells of a sweep.
func bandsOf(run Run, start time.Time) []band {
	if changes := changeBands(run.Blocks, start); changes != nil {
		return changes
	}
	if steps := stepBands(run.Decisions, start); steps != nil {
		return steps
	}
	return cellBands(run.Blocks, start)
}
