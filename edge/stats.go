package edge

import (
	"strconv"
	"time"

	"switchback/edge/admin"
	"switchback/edge/ring"
)

// Stats returns the counters since the start, and what is held now.
func (e *Edge) Stats() admin.Stats {
	now := e.state.Load()
	s := admin.Stats{
		Schema:   admin.StatsSchema,
		Requests: e.counts.requests.Load(),
		Status:   e.counts.statuses(),
		Router:   e.counts.routerStats(),
		Ring:     e.counts.ringStats(now.rings),
		LRU:      e.lruStats(),
		Cache:    e.nodes.cacheStats(),
		Nodes:    e.nodes.nodeStats(),
		Store:    e.storeStats(),
		Origin:   e.origin.stats(),
		Flags:    admin.Audit{Version: now.flags.Version, Changes: e.audit.list()},
		Filter:   now.filterStats(),
	}
	if e.shadow != nil {
		s.Shadow = e.shadow.stats()
	}
	return s
}

func (e *Edge) storeStats() admin.Store {
	s := admin.Store{Bytes: e.store.DiskBytes()}
	var first error
	if s.Errors, first = e.store.Faults(); first != nil {
		s.FirstError = first.Error()
	}
	return s
}

func (c *counts) statuses() map[string]int64 {
	found := map[string]int64{}
	for status := range c.status {
		if n := c.status[status].Load(); n > 0 {
			found[strconv.Itoa(status)] = n
		}
	}
	return found
}

func (c *counts) routerStats() map[string]admin.Router {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := make(map[string]admin.Router, len(c.routers))
	for name, n := range c.routers {
		found[name] = admin.Router{Requests: n.requests.Load(), Seconds: time.Duration(n.nanoseconds.Load()).Seconds()}
	}
	return found
}

// ringStats describes all rings that ever served; those no longer held have
// no points and no bytes.
func (c *counts) ringStats(held map[string]*heldRing) map[string]admin.Ring {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := make(map[string]admin.Ring, len(c.rings))
	for name, n := range c.rings {
		stats := admin.Ring{}
		if h := held[name]; h != nil {
			stats = h.stats()
		}
		stats.Requests = n.requests.Load()
		found[name] = stats
	}
	return found
}

func (e *Edge) lruStats() map[string]admin.LRU {
	found := map[string]admin.LRU{}
	for class, n := range e.store.Stats() {
		found[class.String()] = admin.LRU{Hits: n.Hits, Misses: n.Misses, Bytes: n.Bytes, Evictions: n.Evictions, Read: n.Read}
	}
	return found
}

func (ns *nodes) cacheStats() (sum admin.Cache) {
	for _, n := range ns.all {
		s := n.content.Stats()
		sum.Hits += s.Hits
		sum.Misses += s.Misses
		sum.Collapsed += s.Collapsed
		sum.Evictions += s.Evictions
		sum.Objects += s.Objects
		sum.Bytes += s.Bytes
	}
	return sum
}

func (ns *nodes) nodeStats() map[string]admin.Node {
	down := *ns.down.Load()
	found := make(map[string]admin.Node, len(ns.all))
	for i, n := range ns.all {
		found[n.name] = n.stats(!down.Has(i), ns.servers[i])
	}
	return found
}

func (n *node) stats(up bool, server ring.Server) admin.Node {
	s := admin.Node{
		Up: up, Requests: n.requests.Load(), Address: server.Addr.String(),
		Refused: n.refused.Load(), Reset: n.reset.Load(), TimedOut: n.timedOut.Load(),
	}
	s.Errors = s.Refused + s.Reset + s.TimedOut
	if n.listener != nil {
		s.Listen, s.Fault = n.listener.state()
	}
	return s
}

func (o *originClient) stats() admin.Fetches {
	return admin.Fetches{
		Requests: o.requests.Load(), Errors: o.errors.Load(), Bytes: o.bytes.Load(),
		Seconds: time.Duration(o.nanoseconds.Load()).Seconds(),
	}
}
