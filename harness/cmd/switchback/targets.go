package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"switchback/targets"
)

// newTargetsCommand returns the command that stores and sums up targets.
func newTargetsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "targets",
		Short: "Make a stream of requests over a dataset, or of your own logs",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTargetsGenCommand(), interruptible(newTargetsImportCommand()), interruptible(newTargetsInfoCommand()))
	return cmd
}

func newTargetsInfoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "info FILE",
		Short:   "Read a stored stream of targets to its end, check it, and sum it up",
		Example: "  switchback targets info requests.zst\n  switchback targets info requests.zst --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, traffic, err := readTargets(args[0])
			if err != nil {
				return err
			}
			if traffic != nil {
				return printTraffic(cmd.OutOrStdout(), info, traffic, asJSON)
			}
			return printTargets(cmd.OutOrStdout(), info, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// readTargets sums up a stored stream, and the traffic of an imported one.
func readTargets(path string) (targets.Info, *targets.Traffic, error) {
	r, err := targets.Open(path)
	if err != nil {
		return targets.Info{}, nil, err
	}
	defer r.Close()
	var traffic *targets.Traffic
	if r.Info().Source == targets.SourceImport {
		traffic = targets.NewTraffic()
	}
	for {
		var block []targets.Target
		if block, err = r.Block(0); err != nil {
			break
		}
		if traffic != nil {
			traffic.Add(block)
		}
	}
	if err != io.EOF {
		return targets.Info{}, nil, err
	}
	if traffic != nil {
		traffic.Sum()
	}
	return r.Info(), traffic, nil
}

func printTargets(w io.Writer, info targets.Info, asJSON bool) error {
	if asJSON {
		return printJSON(w, info)
	}
	fmt.Fprintf(w, "digest    %s\ndataset   %s\nseed      %d\nblocks    %d\ntargets   %d, in %d page views\n",
		info.Digest, info.Dataset, info.Seed, info.Blocks, info.Targets, info.Views)
	for _, size := range slices.SortedFunc(maps.Keys(info.Sizes), byNumber) {
		fmt.Fprintf(w, "size      %-8s %d\n", size, info.Sizes[size])
	}
	for _, position := range targets.Positions() {
		if _, err := fmt.Fprintf(w, "position  %-8s %d\n", position, info.Positions[position]); err != nil {
			return err
		}
	}
	return nil
}

// byNumber orders texts that may be numbers.
func byNumber(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }
