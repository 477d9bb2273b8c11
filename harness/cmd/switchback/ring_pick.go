package main

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/spf13/cobra"

	"switchback/edge/ring"
	"switchback/edge/ring/analysis"
)

func newRingPickCommand() *cobra.Command {
	var flags ringFlags
	var notation, ties string
	var down []string
	var distinct int
	cmd := &cobra.Command{
		Use:   "pick",
		Short: "Say which server each key goes to",
		Long:  "Reads keys from standard input, a line each (any bytes but a newline), and writes\nkey,server[,server…] for each: CSV by RFC 4180, LF, no header.",
		Example: "  cut -d' ' -f7 access.log | switchback ring pick --servers servers.csv --ring v2:16\n" +
			"  echo /index.html | switchback ring pick --servers 100 --distinct 3 --down 10.0.0.7:80",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			picker, err := newPicker(flags, notation, ties, down)
			if err != nil {
				return err
			}
			if distinct < 1 || distinct > len(picker.Servers) {
				return usagef("--distinct %d, want 1 to %d, the number of servers", distinct, len(picker.Servers))
			}
			picker.Distinct = distinct
			return picker.Run(cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	flags.add(cmd.Flags())
	flags.addMaxPoints(cmd.Flags())
	cmd.Flags().StringVar(&notation, "ring", "v2:160", "the `ring`: v1, v2:M or v3:M")
	cmd.Flags().StringVar(&ties, "ties", "address", "who owns a point that servers share: address, hashed")
	cmd.Flags().StringSliceVar(&down, "down", nil, "servers (`ADDR`,…) that are walked past")
	cmd.Flags().IntVar(&distinct, "distinct", 1, "different servers to write for a key, in the order of failover")
	return cmd
}

func newPicker(flags ringFlags, notation, ties string, down []string) (*analysis.Picker, error) {
	servers, err := flags.active()
	if err != nil {
		return nil, err
	}
	options, err := flags.options(ties)
	if err != nil {
		return nil, err
	}
	spec, err := ring.ParseSpec(notation)
	if err != nil {
		return nil, usage(err)
	}
	r, err := ring.New(spec, servers, options)
	if err != nil {
		return nil, usage(err)
	}
	picker := &analysis.Picker{Ring: r, Servers: servers}
	for _, name := range down {
		i := slices.IndexFunc(servers, func(s ring.Server) bool { return isAddr(s, name) })
		if i < 0 {
			return nil, usagef("--down %s: no such server; want IP:PORT of a server of the list with a weight above 0", name)
		}
		picker.Down = picker.Down.With(i)
	}
	if r.PickUp(0, picker.Down) < 0 {
		return nil, usage(fmt.Errorf("--down names all %d servers: no key goes anywhere", len(servers)))
	}
	return picker, nil
}

// isAddr reports whether a server has the address that a user wrote.
func isAddr(s ring.Server, name string) bool {
	addr, err := netip.ParseAddrPort(name)
	return err == nil && addr == s.Addr
}
