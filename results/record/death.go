package record

import "fmt"

// Death says how an arm was lost. Lines and texts come from the arm and its
// commands.
type Death struct {
	Cause  string   `json:"cause"`            // one of the Lost constants
	Reason string   `json:"reason,omitempty"` // the error, where Cause and Status don't say all
	Status string   `json:"status,omitempty"` // how its process ended: exit status 3
	Lines  []string `json:"lines,omitempty"`  // the last that it wrote, oldest first
}

// The causes of a death.
const (
	LostServing  = "serving"   // its process ended while it served
	LostAtStart  = "start"     // its process ended before it was ready
	LostNotReady = "not_ready" // it was not ready in time, or answered wrongly when asked whether it is
	LostSetup    = "setup"     // a command of the user's around it failed
	LostHarness  = "harness"   // the harness could not start it, as when a limit of the machine is met
)

// ByArm tells whether the arm itself was the cause: a candidate that is lost
// so is worse than its baseline.
func (d Death) ByArm() bool {
	return d.Cause == LostServing || d.Cause == LostAtStart || d.Cause == LostNotReady
}

// String says it in words, for the end of a sentence about the arm.
func (d Death) String() string {
	switch d.Cause {
	case LostServing:
		return "died while serving" + inBrackets(d.Status)
	case LostAtStart:
		return "ended at its start" + inBrackets(d.Status)
	case LostNotReady:
		return "was not ready: " + d.Reason
	case LostSetup:
		return "was not started, because a command around it failed: " + d.Reason
	}
	return "was not started, because the harness failed: " + d.Reason
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", s)
}

// LostBy says how the arm of a dead block was lost. Blocks of earlier versions
// do not tell; in most of them it served.
func (b Block) LostBy() Death {
	if b.Death == nil {
		return Death{Cause: LostServing}
	}
	return *b.Death
}

// LostArm is the death of an arm in a block.
type LostArm struct {
	Cell  string `json:"cell,omitempty"`
	Arm   string `json:"arm"`
	Pair  int    `json:"pair"`
	Order int    `json:"order"`
	Death
}
