package edge

import (
	"fmt"
	"sync"
	"sync/atomic"

	"switchback/edge/admin"
	"switchback/edge/cache"
	"switchback/edge/ring"
)

// nodes is the cache nodes: one for each member of the rings, in their order.
type nodes struct {
	servers      []ring.Server
	combinations []string // of the servers' features, each with a ring
	all          []*node
	byName       map[string]int
	client       *nodeClient // of listening nodes

	changing sync.Mutex
	down     atomic.Pointer[ring.ServerSet] // walked past; replaced, never changed
}

// node is one member of the ring.
type node struct {
	name     string
	content  *cache.Node
	listener *nodeListener // nil while nodes are part of the edge itself

	requests                 atomic.Int64
	refused, reset, timedOut atomic.Int64
}

func newNodes(options Options, origin *originClient) (*nodes, error) {
	servers, places, combinations, err := options.members()
	if err != nil {
		return nil, err
	}
	ns := &nodes{servers: servers, combinations: combinations, byName: make(map[string]int, len(servers)), client: newNodeClient(options.NodeTimeout)}
	ns.down.Store(&ring.ServerSet{})
	for i := range servers {
		n := &node{name: fmt.Sprintf("n%d", places[i]+1), content: cache.NewNode(options.CacheBytes / int64(len(servers)))}
		ns.byName[n.name] = i
		ns.all = append(ns.all, n)
		if !options.NodeListeners {
			continue
		}
		if n.listener, err = listenNode(n.name, n.content, origin); err != nil {
			ns.close()
			return nil, err
		}
	}
	return ns, nil
}

// close ends the listeners.
func (ns *nodes) close() {
	ns.client.close()
	for _, n := range ns.all {
		if n.listener != nil {
			n.listener.close()
		}
	}
}

// update changes the state of a node, all or nothing.
func (ns *nodes) update(name string, to admin.NodeUpdate) error {
	i, ok := ns.byName[name]
	if !ok {
		return fmt.Errorf("no node is named %q (they are %s to %s)", name, ns.all[0].name, ns.all[len(ns.all)-1].name)
	}
	ns.changing.Lock()
	defer ns.changing.Unlock()
	if to.Fault != nil {
		if ns.all[i].listener == nil {
			return errNoListeners
		}
		if err := ns.all[i].listener.set(*to.Fault); err != nil {
			return fmt.Errorf("node %s: %w", name, err)
		}
	}
	if to.Up != nil {
		ns.mark(i, *to.Up)
	}
	return nil
}

// mark replaces the set of nodes that are down; changing is held.
func (ns *nodes) mark(i int, up bool) {
	now := *ns.down.Load()
	next := now.With(i)
	if up {
		next = now.Without(i)
	}
	ns.down.Store(&next)
}
