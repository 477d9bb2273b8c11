// Package edge is an HTTP edge server with swappable parts: what decides a
// host's pipeline (routing), which node caches a key (ring), and which version
// of either serves a request (rollout) can be changed while it serves.
//
// It answers for the deployments of one routing store, fetches from one origin
// and nowhere else, and says in Server-Timing what each request took.
package edge

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"switchback/edge/kv"
	"switchback/edge/pipeline"
	"switchback/edge/routing"
)

// Edge serves content as an http.Handler. Close ends it.
type Edge struct {
	options    Options
	store      *kv.Store
	hasher     *routing.Hasher
	runner     *pipeline.Runner
	origin     *originClient
	nodes      *nodes
	shadow     *shadow     // nil without
	neighbours *neighbours // nil without
	spans      *spans      // nil without
	headers    headers

	changing sync.Mutex // held while the state is replaced
	state    atomic.Pointer[state]
	audit    audit

	draws  atomic.Uint64 // numbers the requests
	counts counts
}

// New opens the store and prepares routers, rings and nodes; when it returns
// the edge can serve. The error tells which option cannot be had.
func New(options Options) (*Edge, error) {
	options = options.withDefaults()
	if err := options.Check(); err != nil {
		return nil, err
	}
	e := &Edge{options: options, headers: newHeaders(), counts: newCounts(), spans: newSpans(options)}
	if err := e.open(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	// What building rings and tables left behind goes back to the system, so that
	// the process's memory is what it holds.
	debug.FreeOSMemory()
	return e, nil
}

// open makes the parts in the order in which they need each other.
func (e *Edge) open() (err error) {
	if e.hasher, err = routing.NewHasher(e.options.Secret); err != nil {
		return err
	}
	if e.origin, err = newOrigin(e.options, e.spans); err != nil {
		return err
	}
	if e.store, err = kv.Open(e.options.Store, kv.Options{LRUBytes: e.options.LRUBytes, MustExist: true, Report: e.options.StoreFault}); err != nil {
		return err
	}
	e.runner = pipeline.NewRunner(routing.NewManifests(e.store))
	if e.nodes, err = newNodes(e.options, e.origin); err != nil {
		return err
	}
	if err = e.start(); err != nil {
		return err
	}
	return e.startAside()
}

// startAside starts what runs beside the requests: shadow and neighbours.
func (e *Edge) startAside() (err error) {
	if name := e.options.Shadow; name != "" {
		router, err := e.newRouter(name)
		if err != nil {
			return fmt.Errorf("shadow: %w", err)
		}
		e.shadow = newShadow(name, router)
	}
	if rate := e.options.Neighbours; rate > 0 {
		e.neighbours, err = startNeighbours(e.store, rate)
	}
	return err
}

// Halted waits until the routing store has stopped for good, and says why: the edge can
// only end. When ctx ends first it returns nil.
func (e *Edge) Halted(ctx context.Context) error { return e.store.Halted(ctx) }

// Close ends the nodes and closes the store. No request may be in progress.
func (e *Edge) Close() error {
	if e.neighbours != nil {
		e.neighbours.close()
	}
	if e.nodes != nil {
		e.nodes.close()
	}
	if e.origin != nil {
		e.origin.close()
	}
	if e.store == nil {
		return nil
	}
	return e.store.Close()
}
