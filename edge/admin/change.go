package admin

import "switchback/edge/rollout"

// FlagsUpdate is the body of PUT /flags. An absent part stays as it is; a part
// given is taken whole, but for Old and New, which stay when absent. The
// version is counted by the edge and not taken from the body: to change only
// the flags one has read, send their version in If-Match.
type FlagsUpdate struct {
	Version int64         `json:"version,omitempty"`
	Router  *rollout.Part `json:"router,omitempty"`
	Ring    *rollout.Part `json:"ring,omitempty"`
}

// Onto returns the flags after the update of those in force.
func (u FlagsUpdate) Onto(now rollout.Flags) rollout.Flags {
	return rollout.Flags{
		Version: now.Version + 1,
		Router:  updated(now.Router, u.Router),
		Ring:    updated(now.Ring, u.Ring),
	}
}

func updated(now rollout.Part, to *rollout.Part) rollout.Part {
	if to == nil {
		return now
	}
	next := *to
	if next.Old == "" {
		next.Old = now.Old
	}
	if next.New == "" {
		next.New = now.New
	}
	return next
}

// NodeUpdate is the body of PUT /nodes/NAME. What is absent stays.
type NodeUpdate struct {
	Up    *bool   `json:"up,omitempty"`    // a node that is not up is walked past
	Fault *string `json:"fault,omitempty"` // FaultNone, or what the node's listener does while the ring still trusts it
}

// The faults of a node that is a listener.
const (
	FaultNone    = ""
	FaultRefuse  = "refuse"  // no connection is accepted
	FaultReset   = "reset"   // connections are accepted and reset
	FaultTimeout = "timeout" // connections are accepted and never answered
)

// Checkpoint is the body of POST /store/checkpoint: the directory to make,
// below the folder exchange of the store's. The answer has its path.
type Checkpoint struct {
	Dir string `json:"dir"`
}

// Ingest is the body of POST /store/ingest: sorted tables below the folder
// exchange of the store's, which move. The answer has their paths.
type Ingest struct {
	Files []string `json:"files"`
}

// Refusal is the body of an answer of 400 and above.
type Refusal struct {
	Error string `json:"error"`
}
