package main

import (
	"slices"

	"github.com/spf13/cobra"

	"switchback/edge/ring/analysis"
)

func newRingBenchCommand() *cobra.Command {
	var flags ringFlags
	var print tableFlags
	var notations []string
	var ties string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the size, the build and the look-up of rings on this machine",
		Long: "Prints a row for v1, v2:160, v3:160 and the rings of --ring. lookup_ratio is over a plain binary\n" +
			"search of the same points in arrays like v2's, build_ratio over slices.SortFunc of them, in the\n" +
			"same rounds; floor_ratio is bytes_per_point over the least that any lossless store needs.",
		Example: "  switchback ring bench --servers 1000 --weights 1-10\n" +
			"  switchback ring bench --servers servers.csv --ring v3:16,v3:320 --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows, err := benchRows(flags, append([]string{"v1", "v2:160", "v3:160"}, notations...), ties)
			if err != nil {
				return err
			}
			return printTable(cmd.OutOrStdout(), print, rows)
		},
	}
	flags.add(cmd.Flags())
	flags.addMaxPoints(cmd.Flags())
	print.add(cmd.Flags())
	cmd.Flags().StringSliceVar(&notations, "ring", nil, "further `rings`: v2:M, v3:M, …")
	cmd.Flags().StringVar(&ties, "ties", "address", "who owns a point that servers share: address, hashed")
	return cmd
}

func benchRows(flags ringFlags, notations []string, ties string) ([]analysis.Bench, error) {
	specs, err := parseSpecs(notations)
	if err != nil {
		return nil, err
	}
	options, err := flags.options(ties)
	if err != nil {
		return nil, err
	}
	servers, err := flags.active()
	if err != nil {
		return nil, err
	}
	var rows []analysis.Bench
	for i, spec := range specs {
		if slices.Contains(specs[:i], spec) {
			continue
		}
		row, err := analysis.BenchOf(spec, servers, options)
		if err != nil {
			return nil, usage(err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
