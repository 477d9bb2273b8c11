package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"switchback/edge/ring"
	"switchback/edge/ring/analysis"
	"switchback/harness/runner"
)

func newRingServeCommand() *cobra.Command {
	var flags ringFlags
	var notation, ties, listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer each request with the server that its hostname goes to",
		Long: "An HTTP server that forwards nothing: its answer is the address of the server that the ring\n" +
			"picks for the hostname of the request, and a newline. It is what a balancer by hostname is compared with.",
		Example: "  switchback ring serve --servers servers.csv --ring v1 --listen 127.0.0.1:8080\n" +
			"  curl -H 'Host: www.example.test' http://127.0.0.1:8080/",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			picker, err := runner.Interruptible(cmd.Context(), func() (*analysis.Picker, error) { return newPicker(flags, notation, ties, nil) })
			if err != nil {
				return err
			}
			return serveRing(cmd.Context(), listen, picker.Ring, picker.Servers)
		},
	}
	flags.add(cmd.Flags())
	flags.addMaxPoints(cmd.Flags())
	cmd.Flags().StringVar(&notation, "ring", "v1", "the `ring`: v1, v2:M or v3:M")
	cmd.Flags().StringVar(&ties, "ties", "address", "who owns a point that servers share: address, hashed")
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8080", "host:port to serve on")
	return cmd
}

// serveRing serves until ctx ends.
func serveRing(ctx context.Context, listen string, r *ring.Ring, servers []ring.Server) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("serving the ring: %w", err)
	}
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: ringHandler(r, servers)}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the ring: %w", err)
	}
	return nil
}

// ringHandler answers every Host, since it is the input.
func ringHandler(r *ring.Ring, servers []ring.Server) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintln(w, servers[r.Lookup(ring.HashString(q.Host))].Addr)
	})
}
