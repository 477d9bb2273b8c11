package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"switchback/harness/runner"
)

// interrupt is why a context ended.
type interrupt struct{ os.Signal }

func (i interrupt) Error() string { return "signal: " + i.String() }

// untilSignal returns a context that ends at the first SIGINT or SIGTERM, so that a
// command stops in order. A second one ends the process at once, whatever it is
// doing; its children end with their pipe.
func untilSignal(stderr io.Writer) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if first, ok := receive(signals, done); ok {
			cancel(interrupt{first})
		}
		if second, ok := receive(signals, done); ok {
			fmt.Fprintln(stderr, "switchback: stopped at once; the next run removes what is left")
			os.Exit(exitSignal(second))
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}

// receive waits for a signal, or for done.
func receive(signals <-chan os.Signal, done <-chan struct{}) (s os.Signal, ok bool) {
	select {
	case s = <-signals:
		return s, true
	case <-done:
		return nil, false
	}
}

// exitSignal is the exit code that shells give a process that a signal ended.
func exitSignal(s os.Signal) int {
	if number, ok := s.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return exitError
}

// interruptible lets a command end at the first signal, whatever it reads, computes or
// writes. It is for commands that start nothing and write files as a whole.
func interruptible(cmd *cobra.Command) *cobra.Command {
	perform := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return untilInterrupted(cmd.Context(), func() error { return perform(cmd, args) })
	}
	return cmd
}

// untilInterrupted is runner.Interruptible of what returns only an error.
func untilInterrupted(ctx context.Context, do func() error) error {
	_, err := runner.Interruptible(ctx, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// stdinPath is the file that a path of "-" stands for.
const stdinPath = "/dev/stdin"

// inputPath returns the path of a file that is read once: "-" is standard input.
func inputPath(path string) string {
	if path == "-" {
		return stdinPath
	}
	return path
}

// refuseStream refuses a flag whose file is read more than once.
func refuseStream(flag, path string) error {
	info, err := os.Stat(path)
	if path == "-" || err == nil && !info.Mode().IsRegular() {
		return usagef("--%s %s: it is read more than once: expected a regular file", flag, path)
	}
	return nil // whoever opens it says what is wrong
}
