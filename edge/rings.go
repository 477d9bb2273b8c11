package edge

import (
	"fmt"
	"slices"
	"sync/atomic"

	"switchback/edge/admin"
	"switchback/edge/ring"
	"switchback/edge/ring/fleet"
)

// heldRing is a ring that may serve now: one of all members, or one for each
// combination of their features in use.
type heldRing struct {
	name  string
	sets  *ring.Sets
	rings []*ring.Ring // by combination; they repeat where combinations share one
	count *ringCount
}

// ringCount counts look-ups; it outlives the ring.
type ringCount struct{ requests atomic.Int64 }

// of returns the ring for a site's keys. Which combination of features a site
// asks for is a law of its name, so that it is the same in every edge.
func (h *heldRing) of(site string) *ring.Ring {
	if len(h.rings) == 1 {
		return h.rings[0]
	}
	return h.rings[ring.HashString(site)%uint32(len(h.rings))]
}

// stats returns the sum over the rings held, shared ones once.
func (h *heldRing) stats() admin.Ring {
	s := admin.Ring{Bytes: h.sets.Bytes()}
	for _, r := range h.sets.Rings() {
		s.Points += int64(r.Points())
		s.BuildSeconds += r.BuildTime().Seconds()
	}
	if len(h.rings) > 1 {
		s.Sets, s.SharedBytes = len(h.rings), h.sets.Saved()
	}
	return s
}

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
		next[name] = built
	}
	return next, nil
}

func (e *Edge) buildRing(name string) (*heldRing, error) {
	spec, err := ring.ParseSpec(name)
	if err != nil {
		return nil, err
	}
	options, err := e.options.ring()
	if err != nil {
		return nil, err
	}
	sets, err := ring.NewSets(spec, e.nodes.servers, e.nodes.combinations, options)
	if err != nil {
		return nil, err
	}
	held := &heldRing{name: name, sets: sets, count: e.counts.ring(name)}
	for _, combination := range sets.Names() {
		held.rings = append(held.rings, sets.Ring(combination))
	}
	return held, nil
}

func (o Options) ring() (ring.Options, error) {
	ties, err := ring.ParseTies(o.Ties)
	if err != nil {
		return ring.Options{}, err
	}
	names, err := ring.ParseNames(o.Names)
	return ring.Options{Ties: ties, Names: names}, err
}

// members returns the members of the rings, from the file or generated, where
// each stands in the list, and the combinations of their features in use. A
// drained server changes neither the name nor the features of another.
func (o Options) members() (servers []ring.Server, places []int, combinations []string, err error) {
	if o.Servers != "" {
		servers, err = fleet.ReadFile(o.Servers)
	} else {
		servers, err = o.generate()
	}
	combinations = []string{ring.AnySet}
	if err == nil && o.RingSets != 0 {
		servers, combinations, err = fleet.MakeSets(servers, o.RingSets)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	servers, places, err = fleet.Active(servers)
	if err != nil && o.Servers != "" {
		err = fmt.Errorf("%s: %w", o.Servers, err)
	}
	return servers, places, combinations, err
}

func (o Options) generate() ([]ring.Server, error) {
	weights, err := fleet.ParseWeights(o.Weights)
	if err != nil {
		return nil, err
	}
	return fleet.Generate(o.Nodes, weights)
}
