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

// Extra says how many objects a step sends to the origin again: the keys of
// Δp of the working set that move, once in each colo. Going back, and rising
// again to a share that was in force before, costs nothing while caches keep
// what they had. It is used for one course, step after step.
type Extra struct {
	Moved float64        // share of keys that change nodes
	Sets  map[string]int // working set of each colo: objects that its caches hold

	reached map[string]float64 // highest share so far
}

// Step returns the extra origin requests of a step, the next of the course.
func (e *Extra) Step(s Step) float64 {
	if e.reached == nil {
		e.reached = map[string]float64{}
	}
	sum := 0.0
	for colo, objects := range e.Sets {
		if to := s.in(colo); to > e.reached[colo] {
			sum += (to - e.reached[colo]) * e.Moved * float64(objects)
			e.reached[colo] = to
		}
	}
	return sum
}
