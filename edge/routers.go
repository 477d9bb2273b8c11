package edge

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"switchback/edge/admin"
	"switchback/edge/routing"
)

// routerNames are the routers that flags may name.
func routerNames() []string { return []string{"filtered", "hashed", "legacy"} }

// heldRouter is a router that may serve now.
type heldRouter struct {
	name   string
	router routing.Router
	count  *routerCount
}

// routerCount counts look-ups; it outlives the router.
type routerCount struct{ requests, nanoseconds atomic.Int64 }

// newRouter makes a router over the edge's store.
func (e *Edge) newRouter(name string) (routing.Router, error) {
	switch name {
	case "legacy":
		return routing.NewLegacy(context.Background(), e.store, routing.Life(e.options.TableLife))
	case "filtered":
		return routing.NewFiltered(context.Background(), e.store, e.hasher)
	case "hashed":
		return routing.NewHashed(e.store, e.hasher), nil
	}
	return nil, checkRouter(name)
}

// holdRouters returns the named routers: those of now where it has them, else
// new ones.
func (e *Edge) holdRouters(now map[string]*heldRouter, names ...string) (map[string]*heldRouter, error) {
	next := map[string]*heldRouter{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if next[name] = now[name]; next[name] != nil {
			continue
		}
		router, err := e.newRouter(name)
		if err != nil {
			return nil, err
		}
		next[name] = &heldRouter{name: name, router: router, count: e.counts.router(name)}
	}
	return next, nil
}

// refresher is a router that holds more of the store than its LRU does.
type refresher interface {
	Refresh(ctx context.Context) error
}

// refresh lets the routers that may serve take over what was ingested.
func (e *Edge) refresh(ctx context.Context) (err error) {
	e.changing.Lock()
	defer e.changing.Unlock()
	for _, held := range e.state.Load().routers {
		if r, ok := held.router.(refresher); ok {
			err = errors.Join(err, r.Refresh(ctx))
		}
	}
	return err
}

// filterStats describes the filter of the filtered router, nil while none is
// held.
func (s *state) filterStats() *admin.Filter {
	held := s.routers["filtered"]
	if held == nil {
		return nil
	}
	filtered, ok := held.router.(*routing.Filtered)
	if !ok {
		return nil
	}
	f := filtered.Stats()
	return &admin.Filter{Bytes: f.Bytes, Passed: f.Passed, Refused: f.Refused, FalsePositives: f.FalsePositives}
}
