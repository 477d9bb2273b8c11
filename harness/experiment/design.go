package experiment

import (
	"errors"
	"slices"
	"strings"
	"time"

	"switchback/harness/blocks"
	"switchback/results/gate"
)

// Rules are what a run of the experiment is judged by; without a gate section
// they judge nothing.
func (e *Experiment) Rules() gate.Rules {
	return gate.Rules{
		Arms:       e.armNames(),
		Baseline:   e.Blocks.Baseline,
		Bounds:     e.Gate.Bounds,
		Alpha:      e.Gate.Alpha,
		Pairs:      e.Blocks.Pairs,
		Launches:   e.Launches(),
		Looks:      e.Gate.Looks,
		OneProcess: e.attached(),
		ReportOnly: e.Gate.ReportOnly,
		Short:      e.ShortForm,

		BaselineErrors: float64(e.Blocks.MaxBaselineErrors),
	}
}

// Launches is the number of times that each arm is started.
func (e *Experiment) Launches() int { return blocks.Launches(e.Blocks.Pairs, e.Blocks.LaunchEvery) }

// attached tells whether all arms are running servers, which are never
// started: launches are then no level of the experiment.
func (e *Experiment) attached() bool {
	return !slices.ContainsFunc(e.Arms, func(a Arm) bool { return a.URL == nil })
}

// requests is the number of requests of a block by group: those that are
// fixed before the run, and those of a change that nearly every block has.
func (e *Experiment) requests() map[string]int {
	n := map[string]int{}
	for key, count := range e.Targets.PerBlock {
		n[""] += count
		size, position, _ := strings.Cut(key, "/")
		if size != tail && size != unknown {
			n["size="+size] += count
		}
		if position != "" {
			n["position="+position] += count
		}
	}
	if due := int(e.due()); len(n) == 0 && due > 0 {
		n[""] = due
	}
	e.stretches(n)
	return n
}

// due is the expected number of requests of a block's measured part; 0 when
// only the arm's speed decides it.
func (e *Experiment) due() float64 {
	if n := e.Targets.Arrivals(); n > 0 {
		return float64(n)
	}
	return float64(e.Load.Rate) * time.Duration(e.Blocks.Length).Seconds()
}

// PairsNeeded is the number of pairs, and of launches, below which the gates
// can't reach their alpha however large the effect. It is 0 without gates.
func (e *Experiment) PairsNeeded() int {
	if len(e.Sweep) > 0 {
		return e.pairsNeededByCells()
	}
	d := gate.Design{Rules: e.Rules(), Requests: map[string]int{}}
	d.Pairs, d.ReportOnly = 1, false
	for _, b := range e.Gate.Bounds {
		d.Requests[b.Group] = maxDue // they are not the question
	}
	var short *gate.DesignError
	if !errors.As(d.Check(), &short) {
		return 0
	}
	return short.Needed
}

func (e *Experiment) pairsNeededByCells() (most int) {
	cells, err := e.Cells()
	if err != nil {
		return 0
	}
	for _, cell := range cells {
		most = max(most, cell.Experiment.PairsNeeded())
	}
	return most
}

// decidable refuses gates that could never be decided, with the number that
// would do.
func (c *checker) decidable() {
	err := gate.Design{Rules: c.e.Rules(), Requests: c.e.requests()}.Check()
	if err == nil {
		return
	}
	fault := &Error{File: c.e.Path, Line: c.line("blocks"), Msg: err.Error()}
	var short *gate.DesignError
	if errors.As(err, &short) && short.Line > 0 {
		fault.Line = short.Line
	}
	c.faults = append(c.faults, fault)
}
