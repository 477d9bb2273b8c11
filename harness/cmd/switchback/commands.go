package main

import "github.com/spf13/cobra"

// commands returns the subcommands in the order of the help text.
func commands() []*cobra.Command {
	return []*cobra.Command{
		newRunCommand(),
		newABCommand(),
		interruptible(newListCommand()),
		newShowCommand(),
		newMetricsCommand(),
		interruptible(newReportCommand()),
		interruptible(newCompareCommand()),
		newServeCommand(),
		interruptible(newGateCommand()),
		newCalibrateCommand(),
		newAttackCommand(),
		newRingCommand(),
		newEdgeCommand(),
		newOriginCommand(),
		newDatasetCommand(),
		newTargetsCommand(),
		newVersionCommand(),
		newCacheCommand(),
		newKeeperCommand(),
	}
}
