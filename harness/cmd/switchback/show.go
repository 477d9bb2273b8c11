package main

import (
	"github.com/spf13/cobra"

	"switchback/harness/experiment"
)

func newShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Print the file of a built-in experiment, to start your own from",
		Long: "Prints the YAML of the built-in experiment NAME, with its comments. `switchback list` shows the\n" +
			"names; docs/experiment.md explains every key.",
		Example: "  switchback show aa\n" +
			"  switchback show ring-rollout >mine.yaml && switchback run mine.yaml --dry-run",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeBuiltin,
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := experiment.BuiltinSource(args[0])
			if err != nil {
				return usage(err)
			}
			_, err = cmd.OutOrStdout().Write(source)
			return err
		},
	}
}

// completeBuiltin offers the names of the built-in experiments to a shell, and
// its files where a command takes a file too.
func completeBuiltin(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	files := cobra.ShellCompDirectiveNoFileComp
	if cmd.Name() == "run" {
		files = cobra.ShellCompDirectiveDefault
	}
	return experiment.BuiltinNames(), files
}
