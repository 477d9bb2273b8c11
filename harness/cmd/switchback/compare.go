package main

import (
	"os"

	"github.com/spf13/cobra"

	"switchback/results/record"
	"switchback/results/report"
)

func newCompareCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare RUN RUN…",
		Short: "Show runs side by side",
		Long: "Shows the values and changes of two or more runs side by side; the first is what the others\n" +
			"are seen against. Nothing is tested: for a verdict against an earlier run see `switchback\n" +
			"gate RUN --reference RUN`.",
		Example: "  switchback compare results/runs/20261130T010203Z-ci-7f3a results/runs/20261201T010203Z-ci-91c0\n" +
			"  switchback compare results/runs/*-pages-routing-*",
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return compare(cmd, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summaries as JSON, in a list")
	return cmd
}

func compare(cmd *cobra.Command, dirs []string, asJSON bool) error {
	var runs []report.Run
	var summaries []*record.Summary
	for _, dir := range dirs {
		folder, err := openReported(dir)
		if err != nil {
			return err
		}
		runs, summaries = append(runs, reported(folder)), append(summaries, folder.Summary)
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), summaries)
	}
	width, isTerminal := terminal(cmd.OutOrStdout())
	return report.Compare(runs).Text(cmd.OutOrStdout(), report.TextOptions{Width: width, Color: isTerminal && os.Getenv("NO_COLOR") == ""})
}
