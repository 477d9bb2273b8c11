package main

import (
	"context"

	"switchback/harness/trace"
)

// spans opens the exporter of a process's spans, nil without --otlp.
func (s *server) spans(ctx context.Context, service string) (*trace.Exporter, error) {
	if s.otlp == "" {
		return nil, nil
	}
	return trace.Open(ctx, s.otlp, service, version)
}
