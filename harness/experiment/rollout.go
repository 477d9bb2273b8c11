package experiment

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"switchback/edge/rollout"
	"switchback/harness/plan"
	"switchback/results/gate"
)

// Rollout moves the arms' edges from one router or ring to another while they
// serve: a block is then one course of steps. The edges hold both: ring: v1+v2:16.
type Rollout struct {
	Of        string            `yaml:"of,omitempty"`      // ring (default), router: what moves
	By        string            `yaml:"by,omitempty"`      // key (default), request: what a share is a share of
	Sites     map[string]string `yaml:"sites,omitempty"`   // site → old, new; whatever share and place
	OptOut    []string          `yaml:"opt_out,omitempty"` // sites that stay on the old version
	Before    Duration          `yaml:"before"`            // default 5s: at share 0, before the first step
	Settle    Duration          `yaml:"settle"`            // default 0s: at the start of each step, not judged
	Window    Duration          `yaml:"window"`            // default 0s, the rest of the step: what tripwires are judged on
	Steps     []Step            `yaml:"steps,omitempty"`
	Tripwires []gate.Bound      `yaml:"tripwires,omitempty"`
	OnTrip    string            `yaml:"on_trip,omitempty"` // rollback (default), hold
}

// ArmRollout is what one arm does differently: its own steps, its own choice.
type ArmRollout struct {
	By    string `yaml:"by,omitempty"`    // default: that of the section
	Steps []Step `yaml:"steps,omitempty"` // default: those of the section
}

// Step is one setting of share, place and nodes, held for a time.
type Step struct {
	Name  string            `yaml:"name,omitempty"`  // its group is step=NAME; default: share and colos, 25-ams
	Share Percent           `yaml:"share"`           // default: that of the step before
	Colos []string          `yaml:"colos,omitempty"` // the only colos that may move; default: all
	Off   bool              `yaml:"off,omitempty"`   // everything on the old version
	Nodes map[string]string `yaml:"nodes,omitempty"` // node → up, down, refuse, reset, timeout; from this step on
	Hold  Duration          `yaml:"hold" jsonschema:"required"`
}

// The name of the time before the first step.
const beforeStep = "before"

// The words of rollout.of and rollout.by.
const (
	RolloutOfRing   = "ring"
	RolloutOfRouter = "router"
	ByRequest       = rollout.ByRequest
)

// The defaults of a rollout.
const (
	defaultOf     = RolloutOfRing
	defaultBy     = rollout.ByKey
	defaultBefore = Duration(5 * time.Second)
	defaultOnTrip = "rollback"
)

// The words that keys of a rollout take, the default first.
func movable() []string    { return []string{defaultOf, RolloutOfRouter} }
func choices() []string    { return []string{defaultBy, rollout.ByRequest} }
func tripRules() []string  { return []string{defaultOnTrip, "hold"} }
func sides() []string      { return []string{rollout.SideOld, rollout.SideNew} }
func nodeStates() []string { return []string{"up", "down", "refuse", "reset", "timeout"} }

// fillRollout sets the defaults of the section, and gives each arm the steps
// that it has.
func (e *Experiment) fillRollout() {
	r := e.Rollout
	if r == nil {
		return
	}
	or(&r.Of, defaultOf)
	or(&r.By, defaultBy)
	or(&r.OnTrip, defaultOnTrip)
	e.absent("rollout.before", func() { r.Before = defaultBefore })
	e.fillSteps("rollout.steps", r.Steps)
	for i := range e.Arms {
		a := &e.Arms[i]
		if a.Rollout == nil {
			a.Rollout = &ArmRollout{}
		}
		or(&a.Rollout.By, r.By)
		if path := under(indexed("arms", i), "rollout.steps"); len(a.Rollout.Steps) > 0 {
			e.fillSteps(path, a.Rollout.Steps)
		} else {
			a.Rollout.Steps = deepCopy(reflect.ValueOf(r.Steps)).Interface().([]Step)
		}
	}
}

// fillSteps gives steps the share of the one before, and a name.
func (e *Experiment) fillSteps(path string, steps []Step) {
	share := Percent(0)
	for i := range steps {
		s := &steps[i]
		e.absent(under(indexed(path, i), "share"), func() { s.Share = share })
		share = s.Share
		or(&s.Name, s.defaultName())
	}
}

func (s Step) defaultName() string {
	if s.Off {
		return "off"
	}
	share := strings.TrimSuffix(s.Share.String(), "%") // a group can't hold the sign
	return strings.Join(append([]string{share}, s.Colos...), "-")
}

// Course is the plan of an arm's rollout; its first step is the time before it.
func (e *Experiment) Course(a Arm) plan.Rollout {
	r := e.Rollout
	from, to := e.Versions(a)
	course := plan.Rollout{Base: rollout.Part{Old: from, New: to, By: a.Rollout.By, Sites: r.Sites, OptOut: r.OptOut}, Settle: time.Duration(r.Settle), Window: time.Duration(r.Window), Rollback: r.OnTrip == defaultOnTrip,
		Steps: []plan.Step{{Name: beforeStep, Hold: time.Duration(r.Before)}}}
	for _, s := range a.Rollout.Steps {
		course.Steps = append(course.Steps, plan.Step{Name: s.Name, Share: float64(s.Share), Colos: s.Colos, Off: s.Off,
			Nodes: s.Nodes, Hold: time.Duration(s.Hold)})
	}
	for _, b := range r.Tripwires {
		if b.Arm == "" || b.Arm == a.Name {
			course.Tripwires = append(course.Tripwires, b)
		}
	}
	return course
}

// Versions returns the two routers or rings that an arm's rollout moves
// between; they are equal where it holds only one.
func (e *Experiment) Versions(a Arm) (from, to string) {
	if a.Edge == nil {
		return "", ""
	}
	held := a.Edge.Ring
	if e.Rollout.Of == RolloutOfRouter {
		held = a.Edge.Router
	}
	from, to, two := strings.Cut(held, "+")
	if !two {
		to = from
	}
	return from, to
}

// rolloutLength is how long the longest of the arms' courses is.
func (e *Experiment) rolloutLength() Duration {
	longest := time.Duration(0)
	for _, a := range e.Arms {
		longest = max(longest, e.Course(a).Length())
	}
	return Duration(longest)
}

// The short form of a rollout: what its times are cut to.
const (
	shortBefore = Duration(400 * time.Millisecond)
	shortHold   = Duration(200 * time.Millisecond)
)

// shortenRollout cuts the times of a rollout; settling and windows keep their
// part of a step. The tripwires go: a window is then too short to say anything
// of the arm, and one that trips by chance ends the course before its last steps.
func (e *Experiment) shortenRollout() {
	r := e.Rollout
	r.Tripwires = nil
	longest := Duration(1)
	r.Before = min(r.Before, shortBefore)
	for _, steps := range append([][]Step{r.Steps}, e.armSteps()...) {
		for i := range steps {
			longest = max(longest, steps[i].Hold)
			steps[i].Hold = min(steps[i].Hold, shortHold)
		}
	}
	if longest > shortHold {
		scale := float64(shortHold) / float64(longest)
		r.Settle, r.Window = rounded(Duration(float64(r.Settle)*scale)), rounded(Duration(float64(r.Window)*scale))
	}
}

func (e *Experiment) armSteps() [][]Step {
	var all [][]Step
	for _, a := range e.Arms {
		if a.Rollout != nil {
			all = append(all, a.Rollout.Steps)
		}
	}
	return all
}

// site tells a site's name from the words for a named project: size=1000.
func site(text string) error {
	if text == "" || len(text) > 253 || strings.ContainsAny(text, " \t\n/") {
		return fmt.Errorf("expected a site such as example, or size=1000 for the project of that size, got %s", quote(text))
	}
	return nil
}
