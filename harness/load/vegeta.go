package load

import (
	"context"
	"crypto/tls"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"switchback/results/record"
)

// vegetaEngine lets vegeta's workers send the requests. Vegeta knows no due
// time and no first byte, so its pacer is ours (due and released) and so is
// its transport (sent, first byte, done); the two find each other by the
// number of the hit, which vegeta puts into a request header.
type vegetaEngine struct {
	options   Options
	addresses *addresses
	transport *http.Transport
	slots     chan struct{} // requests in flight, where the transport cannot bound them
	dials     atomic.Int64
	opened    atomic.Int64 // of these, a TLS handshake included
}

func newVegeta(options Options) (*vegetaEngine, error) {
	addresses, err := resolve(options.Address, options.Timeout)
	if err != nil {
		return nil, err
	}
	e := &vegetaEngine{options: options, addresses: addresses}
	if options.Pooling == PoolHost || options.TLS {
		e.slots = make(chan struct{}, options.Connections)
	}
	e.transport = &http.Transport{
		DialContext:         e.dial,
		TLSHandshakeTimeout: options.Timeout,
		TLSClientConfig:     options.tlsConfig(),
		ForceAttemptHTTP2:   options.TLS,
		DisableCompression:  true,
		DisableKeepAlives:   options.Pooling == PoolNone,
		MaxConnsPerHost:     options.Connections,
		MaxIdleConns:        options.Connections,
		MaxIdleConnsPerHost: options.Connections,
	}
	return e, nil
}

// tlsConfig returns what handshakes are made with.
func (o Options) tlsConfig() *tls.Config {
	c := &tls.Config{InsecureSkipVerify: o.Insecure, RootCAs: o.Roots}
	if o.Certificate != nil {
		c.Certificates = []tls.Certificate{*o.Certificate}
	}
	return c
}

// Close implements Engine.
func (e *vegetaEngine) Close() { e.transport.CloseIdleConnections() }

// Stream implements Engine.
func (e *vegetaEngine) Stream(ctx context.Context, start time.Time, n int, feed Feed) (Counts, error) {
	a := &attack{engine: e, ctx: ctx, feed: feed, closed: n > 0, flights: map[uint64]*flight{}}
	a.pacer.start = start
	dialled, opened := e.dials.Load(), e.opened.Load()
	workers, limit := uint64(e.options.Connections), uint64(vegeta.DefaultMaxWorkers)
	if n > 0 {
		workers, limit = uint64(n), uint64(n)
	}
	client := &http.Client{Transport: a, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	attacker := vegeta.NewAttacker(vegeta.Client(client), vegeta.Workers(workers), vegeta.MaxWorkers(limit), vegeta.MaxBody(0))
	defer context.AfterFunc(ctx, func() { a.pacer.stop.Store(true); attacker.Stop() })()

	for result := range attacker.Attack(vegeta.NewStaticTargeter(vegeta.Target{Method: http.MethodGet, URL: "http://" + e.options.Address}), a, 0, "") {
		a.end(result.Seq)
	}
	a.abandon()
	counts := Counts{Released: a.released, Dials: int(e.dials.Load() - dialled), Opened: int(e.opened.Load() - opened), Reused: int(a.reused.Load()), Spin: a.pacer.spin}
	return a.failed.Add(counts), ctx.Err()
}

// attack is one call of Stream: vegeta's pacer and its transport.
type attack struct {
	engine *vegetaEngine
	ctx    context.Context
	feed   Feed
	closed bool // a closed loop: requests are due when a worker is free
	pacer  pacer

	released int
	reused   atomic.Int64
	failed   Counts // why connections could not be opened

	mu      sync.Mutex // guards flights
	flights map[uint64]*flight
}

var _ vegeta.Pacer = (*attack)(nil)

// Rate implements vegeta.Pacer; only vegeta's own reports ask for it.
func (a *attack) Rate(time.Duration) float64 { return 0 }

// Pace implements vegeta.Pacer: it returns when hit number hits is due. Vegeta
// calls it from one goroutine, once for each hit, in order.
func (a *attack) Pace(_ time.Duration, hits uint64) (time.Duration, bool) {
	if a.ctx.Err() != nil {
		return 0, true
	}
	request, ok := a.feed.Next()
	if !ok {
		return 0, true
	}
	a.mu.Lock()
	a.flights[hits] = &flight{attack: a, request: request}
	a.mu.Unlock()
	if !a.closed {
		released, ok := a.pacer.wait(request.Due)
		if !ok {
			return 0, true
		}
		request.Sample.Due, request.Sample.Released = int64(request.Due), int64(released)
	}
	a.released++
	return 0, false
}

// flightOf returns the request of a hit.
func (a *attack) flightOf(seq uint64) *flight {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.flights[seq]
}

// end gives the sample of a finished hit back to the feed.
func (a *attack) end(seq uint64) {
	a.mu.Lock()
	f := a.flights[seq]
	delete(a.flights, seq)
	a.mu.Unlock()
	f.finish()
	a.feed.Ended(f.request.Sample)
}

// abandon gives back what a stopped attack had taken from the feed but not sent.
func (a *attack) abandon() {
	for seq, f := range a.flights {
		delete(a.flights, seq)
		f.request.Sample.Error = record.ErrUnanswered
		a.feed.Ended(f.request.Sample)
	}
}

// since returns the time since the start of the block in nanoseconds.
func (a *attack) since() int64 { return int64(time.Since(a.pacer.start)) }
