package plan

import "switchback/edge/rollout"

// Action is what a rollout does after a window.
type Action string

// The actions.
const (
	Stay     Action = "stay"     // the step goes on
	Advance  Action = "advance"  // to the next step
	Rollback Action = "rollback" // a tripwire: everything back to the old version
	Hold     Action = "hold"     // a tripwire: share and place stay as they are
	End      Action = "end"      // the last step was held
)

// The names of what follows a tripwire, in place of the steps' own.
const (
	RolledBack = "rolled-back"
	Held       = "held"
)

// Course is a rollout under way: where it stands and what tripwires compare
// with. It is told what each stretch measured and decides what comes next.
type Course struct {
	rollout Rollout
	base    Values // of the last window before the rollout; nil: none
	step    int    // that is in force
	stopped Action // Rollback, Hold, or "" while nothing has tripped
}

// Decision is what a course decided at the end of a window.
type Decision struct {
	Action   Action
	Findings []Finding // of all tripwires, in their order; none before the rollout and after a trip
}

// NewCourse returns a course at the start of the rollout's first step.
func NewCourse(r Rollout) *Course { return &Course{rollout: r} }

// Begin tells the course that a stretch begins; it returns whether other flags
// are in force from now on.
func (c *Course) Begin(s Stretch) (changed bool) {
	if c.stopped != "" || !s.Begins {
		return false
	}
	c.step = s.Step
	return true
}

// Part returns the flags in force. After a rollback the part is switched off.
func (c *Course) Part() rollout.Part {
	part := c.Step().onto(c.rollout.Base)
	part.Off = part.Off || c.stopped == Rollback
	return part
}

// Step returns the step in force. After a rollback it is the one that tripped.
func (c *Course) Step() Step { return c.rollout.Steps[c.step] }

// Name returns the name of what is in force.
func (c *Course) Name() string {
	switch c.stopped {
	case Rollback:
		return RolledBack
	case Hold:
		return Held
	}
	return c.Step().Name
}

// Judge decides at the end of a window that measured values; last tells that
// the course ends with it.
func (c *Course) Judge(s Stretch, values Values, last bool) Decision {
	d := Decision{Action: Stay}
	switch {
	case c.stopped != "":
	case s.Step == 0:
		c.base = values
	default:
		d.Findings = Findings(c.rollout.Tripwires, values, c.base)
	}
	switch {
	case tripped(d.Findings):
		d.Action = Hold
		if c.rollout.Rollback {
			d.Action = Rollback
		}
		c.stopped = d.Action
	case last:
		d.Action = End
	case s.Ends && c.stopped == "":
		d.Action = Advance
	}
	return d
}
