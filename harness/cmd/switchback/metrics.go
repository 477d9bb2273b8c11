package main

import (
	"github.com/spf13/cobra"

	"switchback/results/metric"
)

func newMetricsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "List what is measured: the names that gates use",
		Long: "Prints every metric, a line each: its name, its unit, in which direction a change is good,\n" +
			"what it means, and where it is read. Gates and tripwires of an experiment use these names.",
		Example: "  switchback metrics\n  switchback metrics | grep memory\n  switchback metrics --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return printJSON(cmd.OutOrStdout(), metric.List())
			}
			return metric.Print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print every name by itself, as JSON")
	return cmd
}
