package plan

// Moved returns the share of keys that change nodes when a ring of from points
// a unit of weight is replaced by one of to points, over nodes of the given
// weights: (1 − m/M)(1 − Σ shares²), with m of M points common to both. A node's
// points are the first of one endless sequence, so the smaller number of them
// is common. A key moves when the nearest point of the larger ring is not
// common and the smaller ring's next one is another node's.
func Moved(from, to int, weights []int) float64 {
	m, most := float64(min(from, to)), float64(max(from, to))
	sum, squares := 0.0, 0.0
	for _, w := range weights {
		sum += float64(w)
		squares += float64(w) * float64(w)
	}
	if sum == 0 || most == 0 {
		return 0
	}
	return (1 - m/most) * (1 - squares/(sum*sum))
}

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
