package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"switchback/edge/ring/analysis"
	"switchback/results/units"
)

func newRingSpreadCommand() *cobra.Command {
	var flags ringFlags
	var print tableFlags
	var notations, ties []string
	var chart string
	var memory units.Bytes
	cmd := &cobra.Command{
		Use:   "spread",
		Short: "Say how evenly rings spread keys over servers",
		Long: "Prints a row for each ring and tie rule. A load is a server's share of all hashes over its fair\n" +
			"share, which is by weight; cv is the coefficient of variation of the loads, cv_formula what random\n" +
			"points would give, unfair the share of servers with a load below 0.9 or above 1.1. No ring is\n" +
			"built: points are streamed, so there is no bound on them; build_seconds is the time that took.",
		Example: "  switchback ring spread --servers 1000 --weights 1-10 --ring v2:16,v2:160\n" +
			"  switchback ring spread --servers 2048 --ring v2:1000,v2:10000,v2:100000 --ties address,hashed --svg ties.svg",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows, err := spreadRows(flags, notations, ties, int64(memory))
			if err != nil {
				return err
			}
			if chart != "" {
				if err := writeChart(chart, rows); err != nil {
					return err
				}
			}
			return printTable(cmd.OutOrStdout(), print, rows)
		},
	}
	flags.add(cmd.Flags())
	print.add(cmd.Flags())
	cmd.Flags().StringSliceVar(&notations, "ring", []string{"v2:16", "v2:160"}, "the `rings`: v1, v2:M, v3:M, …")
	cmd.Flags().StringSliceVar(&ties, "ties", []string{"address"}, "who owns a point that servers share: address, hashed, or both")
	cmd.Flags().StringVar(&chart, "svg", "", "`FILE` to draw cv against points in")
	cmd.Flags().TextVar(&memory, "memory", units.Bytes(512<<20), "`size` for the points of one slice of the hash space")
	return cmd
}

func spreadRows(flags ringFlags, notations, ties []string, memory int64) ([]analysis.Spread, error) {
	servers, err := flags.active()
	if err != nil {
		return nil, err
	}
	specs, err := parseSpecs(notations)
	if err != nil {
		return nil, err
	}
	if len(ties) == 0 {
		return nil, usagef("--ties names no tie rule")
	}
	var rows []analysis.Spread
	for _, spec := range specs {
		for _, rule := range ties {
			options, err := flags.options(rule)
			if err != nil {
				return nil, err
			}
			row, err := analysis.SpreadOf(spec, servers, options, memory)
			if err != nil {
				return nil, usage(err)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func writeChart(name string, rows []analysis.Spread) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(analysis.WriteChart(file, rows), file.Close())
}
