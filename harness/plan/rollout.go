package plan

import (
	"slices"
	"time"

	"switchback/edge/rollout"
	"switchback/results/gate"
)

// Rollout is the planned course of a block in which an edge moves from one
// router or ring to another while it serves.
type Rollout struct {
	Base      rollout.Part  // the flags of what moves, but for share and place
	Settle    time.Duration // at the start of each step: not judged
	Window    time.Duration // what tripwires are judged on; 0: the rest of the step
	Steps     []Step        // the first is the time before the rollout, with share 0
	Tripwires []gate.Bound  // any of them stops the rollout
	Rollback  bool          // what happens then: everything goes back to the old version, or all stays as it is
}

// Step is one setting of share, place and nodes, held for a time.
type Step struct {
	Name  string
	Share float64           // from 0 to 1
	Colos []string          // the only ones that may move; empty: all
	Off   bool              // everything on the old version
	Nodes map[string]string // node → state, from this step on
	Hold  time.Duration
}

// onto returns the flags of the step: base, with the step's share and place.
func (s Step) onto(base rollout.Part) rollout.Part {
	base.Share, base.Colos, base.Off = s.Share, s.Colos, s.Off
	return base
}

// in returns the share on the new version in one colo.
func (s Step) in(colo string) float64 {
	if s.Off || len(s.Colos) > 0 && !slices.Contains(s.Colos, colo) {
		return 0
	}
	return s.Share
}

// Length is how long the steps are held in all.
func (r Rollout) Length() time.Duration {
	var sum time.Duration
	for _, s := range r.Steps {
		sum += s.Hold
	}
	return sum
}

// Stretch is a part of the course in which nothing is changed: the settling of
// a step, or one of its windows.
type Stretch struct {
	Step     int
	From, To time.Duration // since the course began
	Begins   bool          // the step begins with it
	Ends     bool          // the step ends with it
	Window   bool          // its end is judged
}

// Stretches cuts a course of a given length: each step into its settling and
// its windows, of which the last also has the rest that makes up no window.
// The last step is held to the end; steps beyond the end are left out.
func (r Rollout) Stretches(length time.Duration) []Stretch {
	var all []Stretch
	var at time.Duration
	for i, s := range r.Steps {
		end := min(at+s.Hold, length)
		if i == len(r.Steps)-1 {
			end = length
		}
		if end > at {
			all = append(all, r.cut(i, at, end)...)
		}
		at = end
	}
	return all
}

// cut returns the stretches of one step.
func (r Rollout) cut(step int, from, to time.Duration) []Stretch {
	var all []Stretch
	at := from
	if settle := min(r.Settle, to-from); settle > 0 {
		all = append(all, Stretch{Step: step, From: at, To: at + settle})
		at += settle
	}
	window := r.Window
	if window == 0 {
		window = to - at
	}
	for at < to {
		end := at + window
		if to-end < window { // the rest is no window of its own
			end = to
		}
		all = append(all, Stretch{Step: step, From: at, To: end, Window: true})
		at = end
	}
	all[0].Begins, all[len(all)-1].Ends = true, true
	return all
}
