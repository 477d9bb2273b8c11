// Command switchback tells what a change to an edge server will do to users
// before it is rolled out. See README.md for a first run and docs/ for each
// capability; `switchback COMMAND --help` has examples.
//
// The exit codes are in exitcodes.go.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// exitCode ends the program with a code and, where it has one, a message.
type exitCode struct {
	code int
	err  error
}

func (e exitCode) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}
func (e exitCode) Unwrap() error { return e.err }

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments; it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := untilSignal(stderr)
	defer stop()
	root, started := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	code, quiet := codeOf(err, *started)
	if !quiet {
		complain(stderr, cmd, err, *started)
	}
	return code
}

// codeOf returns the exit code of err, and whether it has nothing to say. An
// error from before a command's own code ran is one of usage.
func codeOf(err error, started bool) (code int, quiet bool) {
	var exit exitCode
	var bad usageError
	var stopped interrupt
	switch {
	case errors.As(err, &exit):
		return exit.code, exit.err == nil
	case errors.As(err, &stopped):
		return exitError, false
	case errors.As(err, &bad), !started:
		return exitUsage, false
	}
	return exitError, false
}

// newRootCommand returns the command tree, and a flag that is set once a
// command's own code runs.
func newRootCommand() (root *cobra.Command, started *bool) {
	started = new(bool)
	root = &cobra.Command{
		Use:           "switchback",
		Short:         "What will this change to an edge server do to users?",
		Long:          "switchback replays hostname-heavy traffic against variants of an edge server in short\ninterleaved blocks and reports, with confidence intervals, what the change did to time\nto first byte, CPU, memory and origin load.",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			err := cmd.ValidateRequiredFlags() // cobra does so only after this
			*started = err == nil
			return err
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(commands()...)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	plainUsage(root)
	return root, started
}
