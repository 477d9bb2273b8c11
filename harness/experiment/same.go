package experiment

import (
	"errors"
	"slices"
	"strings"
	"time"

	"switchback/results/gate"
	"switchback/results/metric"
)

// SameArms returns the experiment as an A/A run: two arms, a and b, that are
// both its baseline, each pair with a launch of its own, and no gates. What such
// a run finds different is noise. A sweep is refused.
func (e *Experiment) SameArms(pairs int) (*Experiment, error) {
	if len(e.Sweep) > 0 {
		return nil, errors.New("a sweep has a baseline in each of its cells: give an experiment without one")
	}
	given := e.given.clone()
	at := slices.IndexFunc(e.Arms, func(a Arm) bool { return a.Name == e.Blocks.Baseline })
	given.keepTwice(at)
	given.Gate = GateRules{}
	given.dropLines("gate")
	given.Blocks.Baseline = given.Arms[0].Name
	given.setPairs(pairs)
	given.Blocks.LaunchEvery = 1
	given.lines["blocks.launch_every"] = 0
	return build(given)
}

// keepTwice replaces the arms by two copies of one.
func (e *Experiment) keepTwice(at int) {
	first, second := e.Arms[at], e.clone().Arms[at]
	first.Name, second.Name = "a", "b"
	from := indexed("arms", at)
	kept := map[string]int{}
	for path, line := range e.lines {
		if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == '.') {
			kept[rest] = line
		}
	}
	e.Arms = []Arm{first, second}
	e.dropLines("arms")
	for i := range e.Arms {
		for rest, line := range kept {
			e.lines[indexed("arms", i)+rest] = line
		}
	}
}

// dropLines forgets what the file gives in a section.
func (e *Experiment) dropLines(section string) {
	for path := range e.lines {
		if rest, ok := strings.CutPrefix(path, section); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			delete(e.lines, path)
		}
	}
}

// WithAlpha returns the experiment with another share of false alarms, for all
// of its bounds.
func (e *Experiment) WithAlpha(alpha float64) (*Experiment, error) {
	given := e.given.clone()
	given.Gate.Alpha = alpha
	for i := range given.Gate.Bounds {
		given.Gate.Bounds[i].Alpha = 0
	}
	return build(given)
}

// Subjects returns what an A/A run of the experiment can be calibrated for: the
// quantiles of all requests that its blocks hold, and what its gates compare by
// ratio.
func (e *Experiment) Subjects() []gate.Subject {
	var all []gate.Subject
	for _, name := range metric.In(metric.Calibrated) {
		if info, _ := metric.Lookup(name); gate.Holds(info.Quantile, e.requests()[""]) {
			all = append(all, gate.Subject{Metric: name})
		}
	}
	for _, b := range e.Gate.Bounds {
		s := gate.Subject{Metric: b.Metric, Group: b.Group}
		if info, _ := metric.Lookup(b.Metric); relative(b) && info.Kind == metric.Ratio && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// RoundTime is the time that a round takes in which every arm is started anew:
// the blocks, the waits between them, and the start-up of all arms.
func (e *Experiment) RoundTime(startup time.Duration) time.Duration {
	block := time.Duration(e.Blocks.Guard+e.Blocks.Length) + time.Duration(gate.BlockOverhead*1e9)
	return startup + time.Duration(len(e.Arms))*block
}
