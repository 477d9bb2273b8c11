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
	e     *experiment.Experiment
	w     io.Writer
	quiet bool
	live  *report.Live // nil until the first block
}

// Step implements runner.Watcher.
func (p *progress) Step(what string) {
	p.display(report.Plan{}).Step(what)
}

// Begin implements runner.Watcher.
func (p *progress) Begin(m record.Manifest, dir string) {
	p.close()
	plan := report.Plan{Experiment: m.Experiment, Baseline: p.e.Blocks.Baseline, Rate: float64(p.e.Load.Rate), Confidence: 0.95}
	for _, round := range m.Order {
		plan.Blocks += len(round)
	}
	for _, a := range p.e.Arms {
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
