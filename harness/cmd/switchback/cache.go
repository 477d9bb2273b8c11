package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"switchback/harness/caches"
	"switchback/harness/runner"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// newCacheCommand returns the command for what runs keep for later ones.
func newCacheCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "List or remove the datasets, stores and programs that runs keep",
		Long: "Runs keep what takes long to make, for later runs, below results/cache of the folder in which they\n" +
			"run: generated datasets, datasets published into routing stores, and programs that were built for\n" +
			"arms. What is removed is made again when it is needed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCacheListCommand(), newCacheCleanCommand())
	return cmd
}

func newCacheListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what is kept: kind, size, last use, what it is",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			entries, err := caches.List(runner.Cache(resultsDir))
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), append([]caches.Entry{}, entries...))
			}
			return printEntries(cmd.OutOrStdout(), entries, "in "+runner.Cache(resultsDir))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newCacheCleanCommand() *cobra.Command {
	var older age
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Remove what is kept, and what killed runs left",
		Long: "Removes what runs keep, all or what was not used for some time, and what killed runs left. Says what\n" +
			"that gave back. While a run of this folder goes on, nothing is removed.",
		Example: "  switchback cache clean --older 30d",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			freed, err := cleanCache(time.Now().Add(-time.Duration(older)))
			var printed error
			if asJSON {
				printed = printJSON(cmd.OutOrStdout(), append([]caches.Entry{}, freed...))
			} else {
				printed = printEntries(cmd.OutOrStdout(), freed, "freed")
			}
			if err != nil {
				return err
			}
			return printed
		},
	}
	cmd.Flags().TextVar(&older, "older", age(0), "only what was not used for this `time`, such as 30d or 12h")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// cleanCache removes the entries that were last used before an instant, and what
// killed runs left.
func cleanCache(before time.Time) ([]caches.Entry, error) {
	freed, err := caches.Clean(runner.Cache(resultsDir), before)
	if err != nil {
		return freed, err
	}
	left, err := runner.Sweep(resultsDir)
	for _, l := range left {
		freed = append(freed, caches.Entry{Kind: "leftover", Path: l.Dir, Bytes: l.Bytes, What: "left by a killed run"})
	}
	return freed, err
}

// printEntries prints a line for each entry, and their sum.
func printEntries(w io.Writer, entries []caches.Entry, where string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var sum int64
	for _, e := range entries {
		sum += e.Bytes
		used := "-"
		if !e.LastUsed.IsZero() {
			used = e.LastUsed.Format("2006-01-02 15:04")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", e.Kind, units.InBytes(float64(e.Bytes)), used, figures.Printable(e.Path), figures.Printable(e.What))
	}
	fmt.Fprintf(table, "%s, %s %s\n", units.Count(len(entries), "item"), units.InBytes(float64(sum)), where)
	return table.Flush()
}

// age is a time that may be told in days.
type age time.Duration

// maxDays bounds an age: some 290 years fit into a time.Duration.
const maxDays = 100_000

// UnmarshalText reads 30d, or what units.Duration reads.
func (a *age) UnmarshalText(text []byte) error {
	if days, ok := strings.CutSuffix(string(text), "d"); ok {
		n, err := strconv.ParseUint(days, 10, 32)
		if err != nil || n > maxDays {
			return fmt.Errorf("expected a number of days up to %d, such as 30d, got %q", maxDays, text)
		}
		*a = age(time.Duration(n) * 24 * time.Hour)
		return nil
	}
	var d units.Duration
	if err := d.UnmarshalText(text); err != nil || d < 0 {
		return fmt.Errorf("expected a time such as 30d or 12h, got %q", text)
	}
	*a = age(d)
	return nil
}

// MarshalText writes the age as UnmarshalText reads it.
func (a age) MarshalText() ([]byte, error) { return units.Duration(a).MarshalText() }
