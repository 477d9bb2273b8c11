package edge

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"switchback/edge/routing"
)

// routerNames are the routers that flags may name.
func routerNames() []string { return []string{"hashed", "legacy"} }

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
		return routing.NewLegacy(e.store), nil
	case "hashed":
		return routing.NewHashed(e.store, e.hasher), nil
	}
	return nil, fmt.Errorf("unknown router %q (known: %s)", name, strings.Join(routerNames(), ", "))
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
