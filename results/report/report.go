// Package report shows what a run found, while it runs and afterwards.
//
// It computes no verdict and no interval of a metric: those are in the
// summary. Names, hosts and notes come from files and servers and are
// hostile; what could move a terminal's cursor or turn its text around is
// escaped before it is printed.
package report

import (
	"io"

	"switchback/results/record"
)

// Run is what a report is made of.
type Run struct {
	Summary   record.Summary
	Manifest  record.Manifest
	Decisions []record.Decision // of a rollout; may be nil
	Blocks    []record.Block    // for the noise floor and the order effect; may be nil
	Folder    string            // of the run, as a user types it; "" for none
	HTML      bool              // the folder holds HTMLFile

	Differences []record.Difference // answers of a round that differ; may be nil
}

// TextOptions say how text is laid out.
type TextOptions struct {
	Width int  // columns; 0: 80. No line is longer than 80 columns
	Color bool // with ANSI colours
}

// The bounds of the width of text.
const (
	defaultWidth = 80
	minWidth     = 40
)

func (o TextOptions) width() int {
	if o.Width == 0 {
		return defaultWidth
	}
	return min(max(o.Width, minWidth), defaultWidth)
}

// Text writes the report of a run that is shown at its end: a rollout step by
// step, for each arm a table against the baseline, the same by size and by position, what the
// measurement rests on, gates, verdict, and where the run is.
func Text(w io.Writer, run Run, o TextOptions) error {
	p := &printer{w: w, width: o.width(), color: o.Color}
	p.head(run)
	p.rollout(run)
	arms := run.Candidates()
	if arms == nil {
		arms = []string{""} // an arm by itself: its values
	}
	for _, arm := range arms {
		p.comparison(run, arm)
	}
	p.pooled(run, "by step", run.Groups(stepKey))
	p.pooled(run, "by position of the match", run.positions())
	p.differing(run)
	p.changes(run)
	p.notes(run.Manifest)
	p.legend(run)
	p.events(run.Summary.Events)
	p.lastLines(run.Summary.Deaths)
	p.validity(run)
	p.gates(run.Summary.Gates)
	p.foot(run)
	return p.err
}

// Candidates returns the arms that are compared with the baseline.
func (r Run) Candidates() []string {
	var arms []string
	for _, arm := range r.Summary.Arms {
		if arm != r.Summary.Baseline {
			arms = append(arms, arm)
		}
	}
	return arms
}
