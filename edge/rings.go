package edge

import (
	"fmt"
	"slices"
	"sync/atomic"

	"switchback/edge/ring"
)

// heldRing is a ring that may serve now.
type heldRing struct {
	name  string
	ring  *ring.Ring
	count *ringCount
}

// ringCount counts look-ups; it outlives the ring.
type ringCount struct{ requests atomic.Int64 }

// holdRings returns the named rings over the members: those of now where it
// has them, else new ones.
func (e *Edge) holdRings(now map[string]*heldRing, names ...string) (map[string]*heldRing, error) {
	next := map[string]*heldRing{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if next[name] = now[name]; next[name] != nil {
			continue
		}
		built, err := e.buildRing(name)
		if err != nil {
			return nil, fmt.Errorf("ring %s: %w", name, err)
		}
		next[name] = &heldRing{name: name, ring: built, count: e.counts.ring(name)}
	}
	return next, nil
}

func (e *Edge) buildRing(name string) (*ring.Ring, error) {
	spec, err := ring.ParseSpec(name)
	if err != nil {
		return nil, err
	}
	options, err := e.options.ring()
	if err != nil {
		return nil, err
	}
	return ring.New(spec, e.fleet.servers, options)
}

func (o Options) ring() (ring.Options, error) {
	ties, err := ring.ParseTies(o.Ties)
	if err != nil {
		return ring.Options{}, err
	}
	names, err := ring.ParseNames(o.Names)
	return ring.Options{Ties: ties, Names: names}, err
}

// checkRing returns why flags cannot name a ring.
func checkRing(name string) error {
	spec, err := ring.ParseSpec(name)
	if err != nil {
		return err
	}
	return spec.Check()
}
