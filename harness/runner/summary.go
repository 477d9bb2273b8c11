package runner

import (
	"errors"
	"slices"

	"switchback/harness/blocks"
	"switchback/harness/experiment"
	"switchback/results/gate"
	"switchback/results/record"
)

// rulesOf returns what an experiment's run is judged by.
func rulesOf(e *experiment.Experiment) gate.Rules {
	rules := gate.Rules{Baseline: e.Blocks.Baseline, Bounds: e.Gate.Bounds, Alpha: e.Gate.Alpha, Pairs: e.Blocks.Pairs,
		Launches: blocks.Launches(e.Blocks.Pairs, e.Blocks.LaunchEvery), ReportOnly: e.Gate.ReportOnly}
	rules.OneProcess = true
	for _, a := range e.Arms {
		rules.Arms = append(rules.Arms, a.Name)
		rules.OneProcess = rules.OneProcess && a.URL != ""
	}
	return rules
}

// summarise judges the run on disk, writes its summary and returns the folder
// with it. A gate that compared nothing is in the summary, as an invalid run.
func (r *run) summarise() (*record.Folder, error) {
	folder, err := record.Open(r.dir)
	if err != nil {
		return nil, err
	}
	summary, err := r.judge(folder)
	if err != nil && !errors.Is(err, gate.ErrNothingCompared) {
		return nil, err
	}
	summary.Validity.Notes = append(summary.Validity.Notes, r.gateNotes()...)
	folder.Summary = &summary
	return folder, r.folder.WriteSummary(summary)
}

// judge judges the run, or each cell of a sweep by itself.
func (r *run) judge(folder *record.Folder) (record.Summary, error) {
	if len(r.cells) == 1 {
		return gate.Judge(folder, rulesOf(r.cells[0].e))
	}
	loaded, err := gate.Load(folder)
	if err != nil {
		return record.Summary{}, err
	}
	var cells []gate.Cell
	for _, c := range r.cells {
		cells = append(cells, gate.Cell{Name: c.name, Rules: rulesOf(c.e)})
	}
	return gate.Sweep(loaded, cells)
}

// gateNotes says why gates were not judged, each reason once.
func (r *run) gateNotes() []string {
	var notes []string
	for _, c := range r.cells {
		if note := c.e.GateNote(); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}
