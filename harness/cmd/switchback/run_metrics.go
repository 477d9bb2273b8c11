package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"

	"switchback/harness/guard"
	"switchback/harness/trace"
)

// openMetrics adds the run's metrics, with --otlp or --metrics-listen.
func (f *traceFlags) openMetrics(ctx context.Context, t *traces, stderr io.Writer) error {
	if f.otlp == "" && f.metrics == "" {
		return nil
	}
	m, err := trace.NewMetrics(ctx, f.otlp, version)
	if errors.Is(err, trace.ErrNoEndpoint) {
		fmt.Fprintf(stderr, "switchback: no metrics over OTLP: %v\n", err)
		m, err = trace.NewMetrics(ctx, "", version)
	}
	if err != nil {
		return usage(err)
	}
	t.Metrics = m
	if f.metrics == "" {
		return nil
	}
	t.server, err = serveMetrics(f.metrics, t.Metrics.Handler())
	return usage(err)
}

// metricsServer serves metrics to Prometheus.
type metricsServer struct {
	server *http.Server
	done   sync.WaitGroup
}

func serveMetrics(address string, handler http.Handler) (*metricsServer, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics-listen: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", handler)
	s := &metricsServer{server: newHTTPServer(guard.Hosts(nil).Scraped(listener, mux))}
	s.done.Go(func() { _ = s.server.Serve(listener) })
	return s, nil
}

func (s *metricsServer) close() {
	_ = s.server.Close()
	s.done.Wait()
}
