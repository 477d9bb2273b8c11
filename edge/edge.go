// Package edge is an HTTP edge server with swappable parts: what decides a
// host's pipeline (routing), which node caches a key (ring), and which version
// of either serves a request (rollout) can be changed while it serves.
//
// It answers for the deployments of one routing store, fetches from one origin
// and nowhere else, and says in Server-Timing what each request took.
package edge

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"switchback/edge/kv"
	"switchback/edge/pipeline"
	"switchback/edge/routing"
)

// Edge serves content as an http.Handler. Close ends it.
type Edge struct {
	options Options
	store   *kv.Store
	hasher  *routing.Hasher
	runner  *pipeline.Runner
	origin  *origin
	fleet   *fleet
	shadow  *shadow // nil without
	stop    func()  // ends the neighbours
	headers headers

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
	if err := options.check(); err != nil {
		return nil, err
	}
	e := &Edge{options: options, stop: func() {}, headers: newHeaders(), counts: newCounts()}
	if err := e.open(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// open makes the parts in the order in which they need each other.
func (e *Edge) open() (err error) {
	if e.hasher, err = routing.NewHasher(e.options.Secret); err != nil {
		return err
	}
	if e.origin, err = newOrigin(e.options); err != nil {
		return err
	}
	if e.store, err = kv.Open(e.options.Store, kv.Options{LRUBytes: e.options.LRUBytes, MustExist: true}); err != nil {
		return err
	}
	e.runner = pipeline.NewRunner(routing.NewManifests(e.store))
	if e.fleet, err = newFleet(e.options, e.origin); err != nil {
		return err
	}
	if err = e.start(); err != nil {
		return err
	}
	if e.options.Shadow != "" {
		router, err := e.newRouter(e.options.Shadow)
		if err != nil {
			return fmt.Errorf("shadow: %w", err)
		}
		e.shadow = newShadow(e.options.Shadow, router)
	}
	return nil
}

// Close ends the nodes and closes the store. No request may be in progress.
func (e *Edge) Close() error {
	e.stop()
	if e.fleet != nil {
		e.fleet.close()
	}
	if e.origin != nil {
		e.origin.close()
	}
	if e.store == nil {
		return nil
	}
	return e.store.Close()
}
