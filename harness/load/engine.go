// Package load sends due requests through an engine and records the five
// instants of each: due, released, sent, first byte, done.
package load

import (
	"context"
	"time"

	"switchback/results/record"
	"switchback/targets"
)

// Options of an engine; zero values are the defaults named.
type Options struct {
	Address     string        // host:port of the arm
	TLS         bool          // vegeta only
	Connections int           // limit of open connections; default 64
	Pooling     string        // shared (default), host, none
	Timeout     time.Duration // of one request, from sent; default 10 s
}

// Engine sends requests to one address and keeps its connections between
// calls. It is used by one goroutine.
type Engine interface {
	// Run sends targets[i] at start + due[i] and fills samples[i]; the three
	// have one length and due ascends. It returns when every request has ended. A
	// request that fails is a sample with its kind of error; the error is for
	// what stops the block (a cancelled context; samples not yet ended are then
	// record.ErrUnanswered).
	Run(ctx context.Context, start time.Time, due []time.Duration, targets []targets.Target, samples []record.Sample) (Counts, error)
	// Concurrency sends the targets as fast as n connections allow (a closed
	// loop): due and released are the instant at which a connection was free.
	Concurrency(ctx context.Context, start time.Time, n int, targets []targets.Target, samples []record.Sample) (Counts, error)
	// Close ends its connections.
	Close()
}

// Counts of one call of Run.
type Counts struct {
	Released int
	Dials    int
	Spin     time.Duration // CPU time the pacer spun
}
