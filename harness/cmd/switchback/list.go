package main

import (
	"cmp"
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
	var runs, asJSON bool
	cmd := &cobra.Command{
		Use:   "list [--runs [DIR]]",
		Short: "List the built-in experiments, or the runs on disk",
		Long: "Lists the built-in experiments, a line each. With --runs it lists the runs in DIR (default\n" +
			runsDir + "), the latest first: verdict, commit of switchback, folder, and what was found.",
		Example: "  switchback list\n  switchback list --runs\n  switchback list --runs --json\n  switchback run \"$(switchback list | head -n 1 | cut -d ' ' -f 1)\"",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case runs:
				return listRuns(cmd.OutOrStdout(), append(args, runsDir)[0], asJSON)
			case len(args) > 0:
				return usagef("list %s: only --runs takes a folder", args[0])
			}
			return listBuiltins(cmd.OutOrStdout(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&runs, "runs", false, "list the runs on disk")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
}

// listedExperiment is a built-in experiment in a list as JSON.
type listedExperiment struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

func listBuiltins(w io.Writer, asJSON bool) error {
	all, err := experiment.Builtins()
	if err != nil {
		return err
	}
	list := make([]listedExperiment, len(all))
	for i, e := range all {
		list[i] = listedExperiment{e.Name, e.About}
	}
	if asJSON {
		return printJSON(w, list)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range list {
		fmt.Fprintf(table, "%s\t%s\n", e.Name, e.About)
	}
	return table.Flush()
}

// commitShown is the length of a commit in a list for people.
const commitShown = 9

func listRuns(w io.Writer, dir string, asJSON bool) error {
	runs, err := page.List(dir)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(w, append([]page.Listed{}, runs...)) // [] rather than null
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range runs {
		said := r.Sentence
		if r.Problem != "" {
			said = figures.Printable(r.Problem)
		}
		commit := figures.Printable(cmp.Or(r.Commit, "-"))
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", figures.Name(r.State), commit[:min(len(commit), commitShown)], figures.Escape(r.Name), said)
	}
	return table.Flush()
}
