package main

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"switchback/edge/ring"
	"switchback/edge/ring/fleet"
)

// newRingCommand returns the command that says what a hash ring does.
func newRingCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ring",
		Short: "What a hash ring costs, how it spreads keys, and which keys a change moves",
		Long: "A ring is written v1, v2:M or v3:M, with M points per unit of weight (160 when none is named;\n" +
			"v1 has no other). The servers are a CSV file with the header server,weight, or a number of\n" +
			"them with --weights. A server of weight 0 is drained: no key goes to it. No server needs to run.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, sub := range []*cobra.Command{newRingPickCommand(), newRingSpreadCommand(), newRingMoveCommand(), newRingPlanCommand(), newRingBenchCommand()} {
		sub.PreRun = endOnSignal
		cmd.AddCommand(sub)
	}
	cmd.AddCommand(newRingServeCommand())
	return cmd
}

// endOnSignal lets an interrupt end the program at once: the commands that only
// compute, or wait for a line of input, have nothing to put in order.
func endOnSignal(*cobra.Command, []string) { signal.Reset(os.Interrupt, syscall.SIGTERM) }

// ringFlags are the flags that name servers and the rules of their points.
type ringFlags struct {
	servers, weights string
	names            string
	maxPoints        int
}

func (f *ringFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.servers, "servers", "1000", "CSV `FILE` with the header server,weight, or a number of servers")
	flags.StringVar(&f.weights, "weights", equalWeights, "of a number of servers: equal, a weight, LOW-HIGH as in 1-10 (in turn), pareto:A")
	flags.StringVar(&f.names, "names", "address", "the text that is hashed: address, or directive (nginx: brackets around IPv6)")
}

// equalWeights is the default of --weights.
const equalWeights = "equal"

// addMaxPoints adds the bound of the commands that build rings.
func (f *ringFlags) addMaxPoints(flags *pflag.FlagSet) {
	flags.IntVar(&f.maxPoints, "max-points", ring.DefaultMaxPoints, "refuse a ring with more points")
}

// active returns the servers of the list that are on the ring.
func (f *ringFlags) active() ([]ring.Server, error) {
	servers, err := f.list()
	if err != nil {
		return nil, err
	}
	servers, _, err = fleet.Active(servers)
	return servers, usage(err)
}

// list returns the servers, drained ones included.
func (f *ringFlags) list() ([]ring.Server, error) {
	count, err := strconv.Atoi(f.servers)
	if err != nil {
		return f.read()
	}
	weights, err := fleet.ParseWeights(f.weights)
	if err != nil {
		return nil, usage(err)
	}
	servers, err := fleet.Generate(count, weights)
	return servers, usage(err)
}

// read returns the servers of a file.
func (f *ringFlags) read() ([]ring.Server, error) {
	if f.weights != equalWeights {
		return nil, usagef("--weights %s is for a number of servers; the file %s has its own weights", f.weights, f.servers)
	}
	servers, err := fleet.ReadFile(f.servers)
	if err == nil && len(servers) == 0 {
		return nil, usagef("%s: no server below the header", f.servers)
	}
	if err != nil {
		err = fmt.Errorf("--servers: %w", err)
	}
	return servers, usage(err)
}

// options returns the options of a ring with a tie rule.
func (f *ringFlags) options(ties string) (ring.Options, error) {
	rule, err := ring.ParseTies(ties)
	if err != nil {
		return ring.Options{}, usage(err)
	}
	names, err := ring.ParseNames(f.names)
	return ring.Options{Ties: rule, Names: names, MaxPoints: f.maxPoints}, usage(err)
}

// parseSpecs reads a list of rings, which must not be empty.
func parseSpecs(notations []string) ([]ring.Spec, error) {
	if len(notations) == 0 {
		return nil, usagef("--ring names no ring")
	}
	var specs []ring.Spec
	for _, notation := range notations {
		spec, err := ring.ParseSpec(notation)
		if err != nil {
			return nil, usage(err)
		}
		specs = append(specs, spec)
	}
	return specs, nil
}
