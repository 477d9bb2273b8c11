package experiment

import (
	"errors"
	"maps"
	"math"
	"time"

	"switchback/results/gate"
)

// TimeBudget is the time that a run may take, from its first launch to its last
// block, and what is known of the machine.
type TimeBudget struct {
	Total       time.Duration
	Startup     time.Duration     // of all arms, one after the other
	Calibration *gate.Calibration // of this kind of machine; nil: the usual spread
}

// WithTimeBudget returns the experiment with the block length, pairs and
// launches that make the most of the time for its gates, and what they can see.
// The rate stays; requests of per_block scale with the length, to whole ones
// upwards. A *gate.DesignError names the time that would do.
func (e *Experiment) WithTimeBudget(t TimeBudget) (*Experiment, gate.Choice, error) {
	if err := e.budgetable(); err != nil {
		return nil, gate.Choice{}, err
	}
	b := e.budget(t)
	choice, err := gate.ChooseDesign(b)
	if err != nil {
		return nil, choice, err
	}
	given := e.given.clone()
	if len(e.Targets.PerBlock) > 0 {
		b.Length = given.scaleTargets(choice.Length/time.Duration(e.Blocks.Length).Seconds(), float64(e.Load.Rate))
		if choice, err = gate.ChooseDesign(b); err != nil {
			return nil, choice, err
		}
	}
	given.Blocks.Length = Duration(math.Round(choice.Length * 1e9))
	given.Blocks.LaunchEvery = choice.LaunchEvery
	given.lines["blocks.length"], given.lines["blocks.launch_every"] = 0, 0
	given.setPairs(choice.Pairs)
	designed, err := build(given)
	return designed, choice, err
}

// budgetable refuses what has no design to be chosen.
func (e *Experiment) budgetable() error {
	switch {
	case len(e.Sweep) > 0:
		return errors.New("a time budget chooses one design: a sweep has one in each of its cells")
	case e.Load.closed():
		return errors.New("a time budget needs an open loop: the blocks of a closed loop last as long as the arm takes")
	}
	return nil
}

func (e *Experiment) budget(t TimeBudget) gate.Budget {
	requests := e.requests()
	b := gate.Budget{Rules: e.Rules(), Seconds: t.Total.Seconds(), Rate: float64(e.Load.Rate), Shares: map[string]float64{},
		Guard: time.Duration(e.Blocks.Guard).Seconds(), Startup: t.Startup.Seconds()}
	b.Calibration = t.Calibration
	for group, n := range requests {
		b.Shares[group] = float64(n) / float64(requests[""])
	}
	return b
}

// scaleTargets scales the requests of a block, and returns the length in
// seconds of the block that has them at the rate.
func (e *Experiment) scaleTargets(scale, rate float64) float64 {
	e.Targets.PerBlock = maps.Clone(e.Targets.PerBlock)
	for key, n := range e.Targets.PerBlock {
		e.Targets.PerBlock[key] = int(math.Ceil(float64(n)*scale - 1e-9))
	}
	return float64(e.Targets.Arrivals()) / rate
}
