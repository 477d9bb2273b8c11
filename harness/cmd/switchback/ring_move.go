package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"switchback/edge/ring/analysis"
	"switchback/edge/ring/fleet"
)

func newRingMoveCommand() *cobra.Command {
	var flags ringFlags
	var change fleet.Change
	var ties string
	var asJSON bool
	var top int
	cmd := &cobra.Command{
		Use:   "move FROM TO",
		Short: "Say which keys move when one ring takes the place of another, or when servers change",
		Long: "Prints the share of all keys that change servers, measured over the whole hash space and by\n" +
			"formula, and what each server loses and gains. The servers of TO are those of FROM with the\n" +
			"changes of --add, --remove and --reweight.",
		Example: "  switchback ring move v2:160 v2:16 --servers 1000 --weights 1-10\n" +
			"  switchback ring move v3:160 v3:160 --servers servers.csv --remove 10.0.0.7:443 --reweight 10.0.0.8:443=4",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if top < 0 {
				return usagef("--top %d, want 0 or more", top)
			}
			move, err := moveBetween(flags, change, ties, args)
			if err != nil {
				return err
			}
			if asJSON {
				return printTable(cmd.OutOrStdout(), tableFlags{json: true}, []analysis.Move{move})
			}
			return printMove(cmd.OutOrStdout(), move, top)
		},
	}
	flags.add(cmd.Flags())
	flags.addMaxPoints(cmd.Flags())
	cmd.Flags().StringVar(&ties, "ties", "address", "who owns a point that servers share: address, hashed")
	cmd.Flags().StringSliceVar(&change.Add, "add", nil, "servers that TO has besides: `ADDR=WEIGHT`,…")
	cmd.Flags().StringSliceVar(&change.Remove, "remove", nil, "servers that TO lacks: `ADDR`,…")
	cmd.Flags().StringSliceVar(&change.Reweight, "reweight", nil, "servers that weigh otherwise in TO: `ADDR=WEIGHT`,…; weight 0 drains")
	cmd.Flags().IntVar(&top, "top", 10, "servers to print, those with the most moved keys first; 0: all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all servers")
	return cmd
}

// printMove prints a move, and the top servers with the most moved keys (0:
// all).
func printMove(to io.Writer, move analysis.Move, top int) error {
	slices.SortStableFunc(move.Servers, func(a, b analysis.ServerMove) int { return cmp.Compare(b.Lost+b.Gained, a.Lost+a.Gained) })
	if top > 0 && top < len(move.Servers) {
		move.Servers = move.Servers[:top]
	}
	if err := printTable(to, tableFlags{}, []analysis.Move{move}); err != nil {
		return err
	}
	return printTable(to, tableFlags{}, move.Servers)
}

func moveBetween(flags ringFlags, change fleet.Change, ties string, notations []string) (analysis.Move, error) {
	specs, err := parseSpecs(notations)
	if err != nil {
		return analysis.Move{}, err
	}
	servers, err := flags.list()
	if err != nil {
		return analysis.Move{}, err
	}
	options, err := flags.options(ties)
	if err != nil {
		return analysis.Move{}, err
	}
	changed, err := change.Apply(servers)
	if err != nil {
		return analysis.Move{}, usage(err)
	}
	before, _, err := fleet.Active(servers)
	if err != nil {
		return analysis.Move{}, usage(fmt.Errorf("before the change: %w", err))
	}
	after, _, err := fleet.Active(changed)
	if err != nil {
		return analysis.Move{}, usage(fmt.Errorf("after the change: %w", err))
	}
	move, err := analysis.MoveBetween(
		analysis.Side{Spec: specs[0], Servers: before, Options: options},
		analysis.Side{Spec: specs[1], Servers: after, Options: options})
	return move, usage(err)
}
