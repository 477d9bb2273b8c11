// Package load sends due requests through an engine and records the five
// instants of each: due, released, sent, first byte, done.
//
// An engine is a load generator, not a judge: it reports every request that it
// was given, failures with their kind and full elapsed time, and says how late
// it was itself. What to send and when comes from outside (packages targets
// and schedule); what it means is left to package record and its readers.
package load

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"runtime"
	"time"

	"switchback/results/record"
	"switchback/targets"
)

// Options of an engine; zero values are the defaults named.
type Options struct {
	Address     string           // host:port of the arm; every address of the host is tried
	TLS         bool             // vegeta only; HTTP/2 where the arm offers it
	Insecure    bool             // TLS: any certificate will do
	Roots       *x509.CertPool   // TLS: who may sign the server's certificate; nil: those of the system
	Certificate *tls.Certificate // TLS: shown to a server that asks for one
	Connections int              // limit of requests in flight, each on a connection of its own; default 64
	Pooling     string           // shared (default), host, none
	Timeout     time.Duration    // of one request, from sent, and of one dial; default 10 s
	TraceShare  float64          // of the requests whose sample has a trace id, marked as sampled in their traceparent; 0 to 1
}

// GCPercent is the setting of the garbage collector for a process that sends:
// its heap is small and what it allocates is short-lived, so a quarter as many
// collections cost little memory. With the vegeta engine in a closed loop it
// makes 24 µs CPU a request of 26. Whoever sends sets it, and undoes it after.
const GCPercent = 400

// DefaultConnections is the limit of connections when none is given.
const DefaultConnections = 64

// The ways in which connections are shared.
const (
	PoolShared = "shared" // any connection serves any hostname
	PoolHost   = "host"   // a connection serves one hostname
	PoolNone   = "none"   // a new connection for each request
)

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
	// Stream does what Run does (n = 0) or what Concurrency does (n > 0) with a
	// feed: a load of any length in the memory of its requests in flight.
	Stream(ctx context.Context, start time.Time, n int, feed Feed) (Counts, error)
	// Close ends its connections.
	Close()
}

// Counts of one call of Run, Concurrency or Stream.
type Counts struct {
	Released int           // requests let go by the pacer
	Dials    int           // connections opened, or tried to
	Opened   int           // connections opened
	Reused   int           // requests sent on a connection that had served another
	Spin     time.Duration // CPU time the pacer spun

	DialErrors map[string]int // requests of kind dial, by address and reason; nil without one
	Limits     map[string]int // requests of kind limit, by the name of record.LimitOf; nil without one
}

// New returns the engine of a kind: vegeta or wire.
//
// It sees to it that the process runs with GOMAXPROCS of at least 2: pinned on
// one CPU with 1, a spinning pacer starves the readers (lateness of 105–180 µs).
func New(kind string, options Options) (Engine, error) {
	options = options.withDefaults()
	if err := options.check(); err != nil {
		return nil, err
	}
	if runtime.GOMAXPROCS(0) < 2 {
		runtime.GOMAXPROCS(2)
	}
	var made streamer
	var err error
	switch kind {
	case "", "vegeta":
		made, err = newVegeta(options)
	case "wire":
		made, err = newWire(options)
	default:
		err = fmt.Errorf("engine %q: want vegeta or wire", kind)
	}
	if err != nil {
		return nil, err
	}
	return engine{made}, nil
}

func (o Options) withDefaults() Options {
	if o.Connections == 0 {
		o.Connections = DefaultConnections
	}
	if o.Pooling == "" {
		o.Pooling = PoolShared
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	return o
}

func (o Options) check() error {
	switch {
	case o.Connections < 0:
		return fmt.Errorf("connections %d: want at least 1", o.Connections)
	case o.Timeout < 0:
		return fmt.Errorf("timeout %v: want more than 0", o.Timeout)
	case o.Pooling != PoolShared && o.Pooling != PoolHost && o.Pooling != PoolNone:
		return fmt.Errorf("pooling %q: want shared, host or none", o.Pooling)
	}
	return nil
}
