package page

import (
	"switchback/results/record"
	"switchback/results/report"
)

// Load reads what the page of a run shows from its folder, which must have a
// summary. A file that can't be read takes its section with it, and the page
// says so.
func Load(folder *record.Folder) Run {
	run := LoadCurves(folder)
	var err error
	run.Requests, err = readRequests(folder)
	run.missing(err)
	run.Seconds, err = folder.Seconds()
	run.missing(err)
	run.Differences, err = folder.Differences()
	run.missing(err)
	run.Decisions, err = folder.Decisions()
	run.missing(err)
	return run
}

// LoadCurves reads what a comparison shows of a run: no single requests, no
// seconds.
func LoadCurves(folder *record.Folder) Run {
	run := Run{
		Run:        report.Run{Summary: *folder.Summary, Manifest: folder.Manifest, Blocks: folder.Blocks, Folder: folder.Dir},
		Experiment: folder.Experiment,
	}
	pool, err := folder.Pool(ofAllRequests)
	if run.missing(err); err == nil {
		run.Pool = pool
	}
	return run
}

// ofAllRequests are the histograms that a page shows: of no group.
func ofAllRequests(_, group string) bool { return group == "" }

// missing notes a file that could not be read.
func (r *Run) missing(err error) {
	if err != nil {
		r.Missing = append(r.Missing, err.Error())
	}
}
