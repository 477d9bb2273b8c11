package edge

import (
	"sync"
	"sync/atomic"
)

// counts is what the edge counts of all requests since its start. Counters of
// routers and rings are kept when these are dropped.
type counts struct {
	requests atomic.Int64
	status   *[600]atomic.Int64

	mu      *sync.Mutex
	routers map[string]*routerCount
	rings   map[string]*ringCount
}

func newCounts() counts {
	return counts{status: new([600]atomic.Int64), mu: new(sync.Mutex), routers: map[string]*routerCount{}, rings: map[string]*ringCount{}}
}

func (c *counts) answered(status int) { c.status[status].Add(1) }

func (c *counts) router(name string) *routerCount {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.routers[name] == nil {
		c.routers[name] = &routerCount{}
	}
	return c.routers[name]
}

func (c *counts) ring(name string) *ringCount {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rings[name] == nil {
		c.rings[name] = &ringCount{}
	}
	return c.rings[name]
}
