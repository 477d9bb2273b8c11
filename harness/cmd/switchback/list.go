package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"switchback/harness/experiment"
)

// newListCommand returns the list of built-in experiments.
func newListCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the built-in experiments",
		Example: "  switchback list\n  switchback run \"$(switchback list | head -n 1 | cut -d ' ' -f 1)\"",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := experiment.Builtins()
			if err != nil {
				return err
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, e := range all {
				fmt.Fprintf(table, "%s\t%s\n", e.Name, e.About)
			}
			return table.Flush()
		},
	}
}
