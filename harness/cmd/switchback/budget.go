package main

import (
	"github.com/spf13/cobra"

	"switchback/harness/experiment"
	"switchback/harness/runner"
)

// design returns the experiment with the design that makes the most of the time
// budget, and says what it can see before anything is measured.
func (f runFlags) design(cmd *cobra.Command, e *experiment.Experiment, o runner.Options) (*experiment.Experiment, error) {
	if f.budget <= 0 {
		return nil, usagef("--time-budget %v: expected a time above 0", f.budget)
	}
	o.Watch.Step("starting the arms once, to know what a launch takes")
	startup, err := runner.Startup(cmd.Context(), e, o)
	if err != nil {
		return nil, err
	}
	designed, choice, err := e.WithTimeBudget(experiment.TimeBudget{Total: f.budget, Startup: startup, Calibration: o.Calibration})
	if err != nil {
		return nil, usage(err)
	}
	if f.quiet {
		return designed, nil
	}
	return designed, choice.Print(cmd.ErrOrStderr())
}
