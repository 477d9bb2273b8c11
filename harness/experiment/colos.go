package experiment

import "slices"

// ColosOf returns the colos that an arm's edges are in, one process for each;
// for an arm without an edge it is one without a name.
func (e *Experiment) ColosOf(a Arm) []string {
	switch {
	case a.Edge == nil:
		return []string{""}
	case len(e.Colos) > 0:
		return slices.Clone(e.Colos)
	}
	return []string{a.Edge.Colo}
}

// EdgeOf returns the settings of the edge that serves an arm: its own, or with
// isolation: flags those of the process that all arms share.
func (e *Experiment) EdgeOf(a Arm) Edge {
	if e.OneProcess() {
		return e.sharedEdge()
	}
	return *a.Edge
}
