package edge

import (
	"fmt"
	"sync"
	"sync/atomic"

	"switchback/edge/admin"
	"switchback/edge/cache"
	"switchback/edge/ring"
)

// fleet is the cache nodes: one for each member of the rings, in their order.
type fleet struct {
	servers []ring.Server
	nodes   []*node
	byName  map[string]int
	client  *nodeClient // of listening nodes

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

func newFleet(options Options, origin *originClient) (*fleet, error) {
	servers, err := members(options.Nodes, options.Weights)
	if err != nil {
		return nil, err
	}
	f := &fleet{servers: servers, byName: make(map[string]int, len(servers)), client: newNodeClient(options.NodeTimeout)}
	f.down.Store(&ring.ServerSet{})
	for i := range servers {
		n := &node{name: fmt.Sprintf("n%d", i+1), content: cache.NewNode(options.CacheBytes / int64(len(servers)))}
		f.byName[n.name] = i
		f.nodes = append(f.nodes, n)
		if !options.NodeListeners {
			continue
		}
		if n.listener, err = listenNode(n.name, n.content, origin); err != nil {
			f.close()
			return nil, err
		}
	}
	return f, nil
}

// close ends the listeners.
func (f *fleet) close() {
	f.client.close()
	for _, n := range f.nodes {
		if n.listener != nil {
			n.listener.close()
		}
	}
}

// update changes the state of a node, all or nothing.
func (f *fleet) update(name string, to admin.NodeUpdate) error {
	i, ok := f.byName[name]
	if !ok {
		return fmt.Errorf("no node is named %q (they are n1 to n%d)", name, len(f.nodes))
	}
	f.changing.Lock()
	defer f.changing.Unlock()
	if to.Fault != nil {
		if f.nodes[i].listener == nil {
			return errNoListeners
		}
		if err := f.nodes[i].listener.set(*to.Fault); err != nil {
			return fmt.Errorf("node %s: %w", name, err)
		}
	}
	if to.Up != nil {
		f.mark(i, *to.Up)
	}
	return nil
}

// mark replaces the set of nodes that are down; changing is held.
func (f *fleet) mark(i int, up bool) {
	now := *f.down.Load()
	next := now.With(i)
	if up {
		next = now.Without(i)
	}
	f.down.Store(&next)
}
