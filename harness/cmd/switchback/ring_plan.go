package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"switchback/edge/ring"
	"switchback/edge/ring/analysis"
	"switchback/edge/ring/fleet"
)

func newRingPlanCommand() *cobra.Command {
	var flags ringFlags
	var print tableFlags
	var notations []string
	var ties, sets string
	var held analysis.Fleet
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Say what each kind of ring costs a fleet, and how it spreads keys",
		Long: "Prints a row for each ring: its bytes per point, process, machine and fleet, and its spread.\n" +
			"--sets is a number of combinations of made-up features, each of which half of the servers have,\n" +
			"or the combinations themselves when the file of --servers has a third column, features.",
		Example: "  switchback ring plan --servers 1000 --weights 1-10 --sets 32 --processes 64 --machines 5000\n" +
			"  switchback ring plan --servers servers.csv --sets any,eu,eu+large-files",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows, err := planRows(flags, notations, ties, sets, held)
			if err != nil {
				return err
			}
			if err := printTable(cmd.OutOrStdout(), print, rows); err != nil || print.json || print.csv {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), planWords)
			return err
		},
	}
	flags.add(cmd.Flags())
	flags.addMaxPoints(cmd.Flags())
	print.add(cmd.Flags())
	cmd.Flags().StringSliceVar(&notations, "ring", []string{"v1", "v2:160", "v2:16", "v3:16", "v3:160"}, "the `rings`: v1, v2:M, v3:M, …")
	cmd.Flags().StringVar(&ties, "ties", "address", "who owns a point that servers share: address, hashed")
	cmd.Flags().StringVar(&sets, "sets", "1", "ring sets: a `NUMBER`, or combinations of features joined by commas")
	cmd.Flags().IntVar(&held.Processes, "processes", 1, "processes on a machine, each with all rings")
	cmd.Flags().IntVar(&held.Machines, "machines", 1, "machines of the fleet")
	return cmd
}

// planWords explains the columns whose names do not.
const planWords = `
cv: how far the servers' shares of the keys are from fair, as their standard deviation over the mean; 0.04 is 4 %
cv_formula: what theory says of cv
worst: the fullest server's share over its fair share; at 1.2 it gets 20 % too much
`

func planRows(flags ringFlags, notations []string, ties, sets string, held analysis.Fleet) ([]analysis.Plan, error) {
	if held.Processes < 1 || held.Machines < 1 {
		return nil, usagef("--processes %d and --machines %d: want 1 or more of each", held.Processes, held.Machines)
	}
	specs, err := parseSpecs(notations)
	if err != nil {
		return nil, err
	}
	options, err := flags.options(ties)
	if err != nil {
		return nil, err
	}
	if held.Servers, err = flags.list(); err != nil {
		return nil, err
	}
	if held.Servers, held.Combinations, err = combine(held.Servers, sets); err != nil {
		return nil, usage(err)
	}
	if held.Servers, _, err = fleet.Active(held.Servers); err != nil {
		return nil, usage(err)
	}
	var rows []analysis.Plan
	for _, spec := range specs {
		row, err := analysis.PlanOf(spec, held, options)
		if err != nil {
			return nil, usage(err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// combine reads --sets.
func combine(servers []ring.Server, sets string) ([]ring.Server, []string, error) {
	if count, err := strconv.Atoi(sets); err == nil {
		return fleet.MakeSets(servers, count)
	}
	return servers, strings.Split(sets, ","), nil
}
