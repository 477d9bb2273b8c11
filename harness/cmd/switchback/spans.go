package main

import (
	"context"

	"switchback/harness/trace"
)

// spanNotes returns what keeps the notes of a process's requests, and what
// closes its connection; nil notes without --otlp.
func (s *server) spanNotes(ctx context.Context, role string) (*trace.Notes, func(), error) {
	if s.otlp == "" {
		return nil, func() {}, nil
	}
	exporter, err := trace.Open(ctx, s.otlp, role, version)
	if err != nil {
		return nil, nil, usage(err)
	}
	return trace.NewNotes(exporter), exporter.Close, nil
}
