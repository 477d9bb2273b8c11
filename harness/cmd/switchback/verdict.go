package main

import (
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"switchback/harness/experiment"
	"switchback/results/gate"
	"switchback/results/record"
)

// verdictExit returns the exit code of a judged run as an error, nil for 0.
func verdictExit(s record.Summary, strict bool, e *experiment.Experiment) error {
	if code := gate.ExitCode(s.Verdict, strict || e.Gate.OnInconclusive == experiment.Fail); code != 0 {
		return exitCode{code: code}
	}
	return nil
}

// printJudged prints what a run found once its exit code is known. What can't be printed
// is told and does not change the code: not even a reader that has gone, such as head,
// whose signal would end the program, nor one that stays and reads nothing.
func printJudged(cmd *cobra.Command, print func(w io.Writer) error) {
	signal.Ignore(syscall.SIGPIPE)
	if err := untilInterrupted(cmd.Context(), func() error { return print(cmd.OutOrStdout()) }); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "switchback: the run is complete, printing it failed: %v\n", err)
	}
}
