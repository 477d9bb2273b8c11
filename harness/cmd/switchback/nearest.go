package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearestFlag adds the nearest valid flag to the error of an unknown one.
func nearestFlag(cmd *cobra.Command, err error) error {
	_, name, found := strings.Cut(err.Error(), "unknown flag: --")
	if !found {
		return usage(fmt.Errorf("%s: %w", cmd.CommandPath(), err))
	}
	// cobra's own search for commands serves flags as well.
	index := &cobra.Command{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		index.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	for index.SuggestionsMinimumDistance = 1; index.SuggestionsMinimumDistance <= 2; index.SuggestionsMinimumDistance++ {
		if near := index.SuggestionsFor(name); len(near) > 0 {
			return usagef("%s: %w; did you mean --%s?", cmd.CommandPath(), err, near[0])
		}
	}
	return usagef("%s: %w", cmd.CommandPath(), err)
}
