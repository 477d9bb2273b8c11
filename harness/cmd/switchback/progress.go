package main

import (
	"io"
	"os"
	"time"

	"switchback/harness/experiment"
	"switchback/results/record"
	"switchback/results/report"
)

// progress shows a run on standard error.
type progress struct {
	w     io.Writer
	quiet bool
	live  *report.Live // nil until the first block
}

// Step implements runner.Watcher.
func (p *progress) Step(what string) {
	p.display(report.Plan{}).Step(what)
}

// Begin implements runner.Watcher.
func (p *progress) Begin(e *experiment.Experiment, dir string) {
	p.close()
	plan := report.Plan{Experiment: e.Name, Baseline: e.Blocks.Baseline, Blocks: len(e.Arms) * e.Blocks.Pairs,
		Rate: float64(e.Load.Rate), Confidence: 0.95}
	for _, a := range e.Arms {
		plan.Arms = append(plan.Arms, a.Name)
	}
	p.display(plan).Step("measuring; the run's folder is " + dir)
}

// Block implements runner.Watcher.
func (p *progress) Block(b record.Block, m *record.Measurement) {
	p.live.Block(b, m)
}

func (p *progress) display(plan report.Plan) *report.Live {
	if p.live == nil {
		width, isTerminal := terminal(p.w)
		p.live = report.NewLive(p.w, plan, report.LiveOptions{Terminal: isTerminal, Width: width,
			Color: isTerminal && os.Getenv("NO_COLOR") == "", Quiet: p.quiet, Now: time.Now})
	}
	return p.live
}

func (p *progress) close() {
	if p.live != nil {
		p.live.Close()
		p.live = nil
	}
}
