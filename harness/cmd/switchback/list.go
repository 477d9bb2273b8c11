package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"switchback/harness/experiment"
	"switchback/results/report/figures"
	"switchback/results/report/page"
)

// newListCommand returns the list of built-in experiments, or of runs.
func newListCommand() *cobra.Command {
	var runs bool
	cmd := &cobra.Command{
		Use:   "list [--runs [DIR]]",
		Short: "List the built-in experiments, or the runs on disk",
		Long: "Lists the built-in experiments, a line each. With --runs it lists the runs in DIR (default\n" +
			runsDir + "), the latest first: verdict, folder, and what was found.",
		Example: "  switchback list\n  switchback list --runs\n  switchback run \"$(switchback list | head -n 1 | cut -d ' ' -f 1)\"",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case runs:
				return listRuns(cmd.OutOrStdout(), append(args, runsDir)[0])
			case len(args) > 0:
				return usagef("list %s: only --runs takes a folder", args[0])
			}
			return listBuiltins(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&runs, "runs", false, "list the runs on disk")
	return cmd
}

func listBuiltins(w io.Writer) error {
	all, err := experiment.Builtins()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range all {
		fmt.Fprintf(table, "%s\t%s\n", e.Name, e.About)
	}
	return table.Flush()
}

func listRuns(w io.Writer, dir string) error {
	runs, err := page.List(dir)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range runs {
		said := r.Sentence
		if r.Problem != "" {
			said = figures.Printable(r.Problem)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", figures.Name(r.State), figures.Escape(r.Name), said)
	}
	return table.Flush()
}
