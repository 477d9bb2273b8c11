package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"switchback/harness/experiment"
	"switchback/harness/runner"
)

// outline prints what a run of the experiment would do, and starts nothing.
func (f runFlags) outline(cmd *cobra.Command, e *experiment.Experiment) error {
	e, err := withTools(cmd.ErrOrStderr(), e)
	if err != nil {
		return err
	}
	calibration, err := runner.Calibration(resultsDir)
	if err != nil {
		return err
	}
	if err := e.PrintOutline(cmd.OutOrStdout(), calibration); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "\nnothing was started: without --dry-run this is run with seed %d\n", f.seed)
	return err
}
