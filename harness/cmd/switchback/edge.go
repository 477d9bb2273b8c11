package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"switchback/edge"
	"switchback/harness/runner"
	"switchback/harness/trace"
	"switchback/results/units"
)

// newEdgeCommand returns `switchback edge`.
func newEdgeCommand() *cobra.Command {
	var (
		process    server
		options    edge.Options
		secretFile string
	)
	command := &cobra.Command{
		Use:   "edge",
		Short: "The HTTP edge under measurement, with swappable router, ring and cache",
		Long: `An HTTP edge over a routing store: hostname → pipeline → asset → ring → cache node →
origin. Router and ring can be flipped by PUT /flags on the admin listener while it serves.
One JSON line on stdout tells the addresses.`,
		Example: `  switchback edge --store D --secret-file F --origin http://127.0.0.1:8080 --router legacy
  switchback edge --store D --secret-file F --origin http://127.0.0.1:8080 --router legacy+hashed --ring v1+v2:16 --nodes 64`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			secret, err := readSecret(command.Context(), secretFile)
			if err != nil {
				return err
			}
			options.Secret = []byte(secret)
			return serveEdge(command, &process, options)
		},
	}
	flags := command.Flags()
	process.addFlags(flags)
	flags.StringVar(&secretFile, "secret-file", "", "`file` with the secret of the hashed entries")
	addEdgeFlags(flags, &options)
	return command
}

// serveEdge serves an edge until the process is asked to end.
func serveEdge(command *cobra.Command, process *server, options edge.Options) error {
	if err := options.Check(); err != nil {
		return usageError{err}
	}
	notes, closeNotes, err := process.spanNotes(command.Context(), trace.RoleEdge)
	if err != nil {
		return err
	}
	defer closeNotes()
	if notes != nil {
		options.Spans = notes
	}
	options.StoreFault = func(err error) {
		fmt.Fprintf(command.ErrOrStderr(), "switchback: edge: the routing store %s: %v\n", options.Store, err)
	}
	e, err := runner.Interruptible(command.Context(), func() (*edge.Edge, error) { return edge.New(options) })
	if err != nil {
		return process.tellLimit(command.OutOrStdout(), fmt.Errorf("edge: %w", err))
	}
	ctx, end := context.WithCancelCause(command.Context())
	defer end(nil)
	go func() {
		if err := e.Halted(ctx); err != nil {
			end(storeError{err})
		}
	}()
	err = process.serve(ctx, e, notes.Admin(withProfiles(e.AdminHandler())), command.OutOrStdout())
	if errors.Is(err, errParentEnded) {
		return nil // the store stays open under requests that nobody waits for
	}
	var halted storeError
	if errors.As(context.Cause(ctx), &halted) {
		return halted
	}
	return errors.Join(err, e.Close())
}

// storeError ends an edge whose routing store has stopped for good.
type storeError struct{ error }

func (e storeError) Error() string { return "edge: the routing store has stopped: " + e.error.Error() }

func addEdgeFlags(flags *pflag.FlagSet, o *edge.Options) {
	flags.StringVar(&o.Store, "store", "", "`directory` of the routing store; it belongs to this process alone")
	flags.StringVar(&o.Origin, "origin", "", "`URL` of the origin, http://host:port")
	flags.StringVar(&o.Router, "router", "hashed", "hashed, legacy or filtered; legacy+hashed holds both, and serves with the first")
	flags.StringVar(&o.TableLife, "table-life", "request", "how long legacy keeps a decoded table: request, lru, resident")
	flags.StringVar(&o.Shadow, "shadow", "", "a second `router` that is asked for each request and compared; see shadow in /stats")
	flags.StringVar(&o.Ring, "ring", "v1", "v1, v2:M or v3:M; v1+v2:16 holds both, and serves with the first")
	flags.StringVar(&o.Ties, "ties", "address", "who owns a point that servers share: address, hashed")
	flags.StringVar(&o.Names, "names", "address", "the text of a server that is hashed: address, directive")
	flags.IntVar(&o.RingSets, "ring-sets", 0, "combinations of made-up server features, each with a ring; 0: one ring of all")
	flags.IntVar(&o.Nodes, "nodes", 8, "cache nodes n1, n2, …; node i is 10.x.y.z:80 on the ring, x.y.z the bytes of i")
	flags.StringVar(&o.Weights, "weights", "equal", "of the nodes: equal, a weight, LOW-HIGH taken in turn as in 1-10, or pareto:A")
	flags.StringVar(&o.Servers, "servers", "", "CSV `file` with the nodes (header server,weight) instead of --nodes")
	flags.BoolVar(&o.NodeListeners, "node-listeners", false, "make each node a listener on loopback that can fail")
	flags.DurationVar(&o.NodeTimeout, "node-timeout", 0, "for the answer of a listening node to begin (default 1s)")
	flags.Var((*sizeFlag)(&o.LRUBytes), "lru", "bound of the routing store's LRU (default 64MiB)")
	flags.Var((*sizeFlag)(&o.CacheBytes), "cache", "bound of the content cache, shared evenly by the nodes (default 64MiB)")
	flags.DurationVar(&o.OriginTimeout, "origin-timeout", 0, "for a whole answer of the origin (default 10s)")
	flags.StringVar(&o.Colo, "colo", "ams", "this data centre")
	flags.StringSliceVar(&o.Colos, "colos", nil, "all data centres that flags may name (default: its own)")
	flags.TextVar((*units.Rate)(&o.Neighbours), "neighbours", units.Rate(0), "`rate` of reads of other tenants' values through the LRU")
}

// sizeFlag is a flag such as 64MiB, whose zero stands for the default.
type sizeFlag units.Bytes

// Set implements pflag.Value.
func (f *sizeFlag) Set(text string) error {
	if err := (*units.Bytes)(f).UnmarshalText([]byte(text)); err != nil {
		return err
	}
	if *f == 0 {
		return fmt.Errorf("%q: expected a size above 0, as in 64MiB", text)
	}
	return nil
}

// String implements pflag.Value; the usage tells the default.
func (f *sizeFlag) String() string { return "" }

// Type implements pflag.Value.
func (f *sizeFlag) Type() string { return "size" }
