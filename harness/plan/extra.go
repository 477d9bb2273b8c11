package plan

import (
	"fmt"
	"strconv"

	"switchback/edge/ring"
	"switchback/edge/ring/analysis"
	"switchback/edge/ring/fleet"
	"switchback/edge/rollout"
)

// Extra says how many objects a step sends to the origin again. The keys of Δp
// of the working set that move do so once in each colo; those of a node that
// dies once, and once more when it comes back empty. Going back, and rising again
// to a share that was in force before, costs nothing while caches keep what
// they had. It is used for one course, step after step; Sets may grow meanwhile.
type Extra struct {
	Moved float64            // share of keys that change nodes
	Sets  map[string]int     // working set of each colo: objects that its caches hold
	Nodes map[string]float64 // share of the keys of each node

	reached map[string]float64 // by colo: highest share so far
	states  map[string]string  // of nodes
	covered map[string]bool    // nodes whose keys others hold too
}

// NewExtra returns the cost of a rollout over so many nodes with weights by a
// law ("" is 1 each). rings tells that a ring moves, not a router: only
// then do keys change nodes. Choice by request has no such formula, and without
// the number of nodes nothing is known of their shares: both give nil.
func NewExtra(part rollout.Part, rings bool, nodes int, weights string) (*Extra, error) {
	if nodes == 0 || part.By == rollout.ByRequest {
		return nil, nil
	}
	servers, err := servers(nodes, weights)
	if err != nil {
		return nil, err
	}
	extra := &Extra{Nodes: map[string]float64{}}
	sum := 0
	for _, s := range servers {
		sum += s.Weight
	}
	for i, s := range servers {
		extra.Nodes["n"+strconv.Itoa(i+1)] = float64(s.Weight) / float64(sum)
	}
	if rings {
		extra.Moved, err = moved(part, servers)
	}
	return extra, err
}

// servers returns the nodes as the edge makes them.
func servers(nodes int, weights string) ([]ring.Server, error) {
	var law fleet.Weights
	if weights != "" {
		var err error
		if law, err = fleet.ParseWeights(weights); err != nil {
			return nil, err
		}
	}
	return fleet.Generate(nodes, law)
}

// moved returns the share of keys that change nodes between the part's rings.
func moved(part rollout.Part, servers []ring.Server) (float64, error) {
	var sides [2]analysis.Side
	for i, name := range []string{part.Old, part.New} {
		spec, err := ring.ParseSpec(name)
		if err != nil {
			return 0, fmt.Errorf("keys that a rollout moves: %w", err)
		}
		sides[i] = analysis.Side{Spec: spec, Servers: servers}
	}
	return analysis.MovedFormula(sides[0], sides[1]), nil
}

// States of nodes that matter here; in all others a node is walked past.
const (
	nodeUp   = "up"
	nodeDead = "refuse"
)

// Step returns the extra origin requests of a step, the next of the course.
func (e *Extra) Step(s Step) float64 {
	if e.reached == nil {
		e.reached, e.states, e.covered = map[string]float64{}, map[string]string{}, map[string]bool{}
	}
	sum, all := 0.0, 0
	for colo, objects := range e.Sets {
		all += objects
		if to := s.in(colo); to > e.reached[colo] {
			sum += (to - e.reached[colo]) * e.Moved * float64(objects)
			e.reached[colo] = to
		}
	}
	for node, state := range s.Nodes {
		if e.lost(node, state) {
			sum += e.Nodes[node] * float64(all)
		}
	}
	return sum
}

// lost tells whether a change of a node's state costs its keys.
func (e *Extra) lost(node, state string) bool {
	before := e.states[node]
	e.states[node] = state
	if state == nodeUp {
		return before == nodeDead
	}
	first := !e.covered[node]
	e.covered[node] = true
	return first
}
