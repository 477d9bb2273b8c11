package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"switchback/harness/arm"
)

// newKeeperCommand returns the hidden command that foreign arms run under.
func newKeeperCommand() *cobra.Command {
	var parent int
	var grace time.Duration
	var folder string
	cmd := &cobra.Command{
		Use:    "keeper --parent-fd N -- COMMAND [ARG…]",
		Short:  "Run a command and end all it started when the parent is gone",
		Hidden: true,
		Args:   cobra.MinimumNArgs(1),
		PreRun: endOnSignal, // but for what arm.Keep does with signals
		RunE: func(cmd *cobra.Command, args []string) error {
			code, err := arm.Keep(os.NewFile(uintptr(parent), "parent"), grace, folder, args)
			if err == nil && code != 0 {
				return exitCode{code: code}
			}
			return err
		},
	}
	cmd.Flags().IntVar(&parent, "parent-fd", 3, "file descriptor that reaches its end with the parent")
	cmd.Flags().DurationVar(&grace, "grace", 5*time.Second, "time between a signal to stop and KILL")
	cmd.Flags().StringVar(&folder, "folder", "", "folder to remove when the parent is gone")
	return cmd
}
