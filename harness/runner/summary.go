package runner

import (
	"errors"

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
	summary, err := gate.Judge(folder, rulesOf(r.e))
	if err != nil && !errors.Is(err, gate.ErrNothingCompared) {
		return nil, err
	}
	if note := r.e.GateNote(); note != "" {
		summary.Validity.Notes = append(summary.Validity.Notes, note)
	}
	folder.Summary = &summary
	return folder, r.folder.WriteSummary(summary)
}
