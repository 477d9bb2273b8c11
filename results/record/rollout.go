package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Decision is one line of rollout.jsonl: the begin of a step of a rollout, or
// the end of one of its stretches with what that measured and what was decided.
type Decision struct {
	Schema string    `json:"schema"` // switchback.rollout/1
	Cell   string    `json:"cell,omitempty"`
	Pair   int       `json:"pair"`
	Arm    string    `json:"arm"`
	Time   time.Time `json:"time"`
	At     float64   `json:"at"`     // seconds since the start of the block
	Action string    `json:"action"` // Begin; Settled; stay, advance, rollback, hold, end
	Reason string    `json:"reason,omitempty"`

	Step  string            `json:"step"`
	Share float64           `json:"share"`
	Colos []string          `json:"colos,omitempty"` // the only ones that may move
	Off   bool              `json:"off,omitempty"`
	Nodes map[string]string `json:"nodes,omitempty"` // that the step changed
	Flags map[string]int64  `json:"flags,omitempty"` // versions in force, by colo ("" for one edge alone)

	Expected *float64 `json:"expected,omitempty"` // of a Begin: extra origin requests of the step, by formula; absent: not known

	Window    float64    `json:"window,omitempty"` // seconds that the numbers below are about
	Pause     float64    `json:"pause,omitempty"`  // seconds without requests that followed
	Requests  int        `json:"requests"`
	Errors    int        `json:"errors"`
	Origin    *int64     `json:"origin,omitempty"` // requests that reached the origin
	Extra     int        `json:"extra"`            // of them, for objects that a cache of the colo had served before
	Lookups   int        `json:"lookups"`          // in content caches
	Hits      int        `json:"hits"`
	OnNew     int        `json:"on_new"` // requests that the new version served
	Retries   int        `json:"retries,omitempty"`
	Tripwires []Tripwire `json:"tripwires,omitempty"`
}

// Tripwire is how one bound stood at the end of a window.
type Tripwire struct {
	Metric  string   `json:"metric"`
	Group   string   `json:"group,omitempty"`
	Bound   string   `json:"bound"`           // max_increase 1%
	Value   *float64 `json:"value,omitempty"` // absent: the window has none
	Base    *float64 `json:"base,omitempty"`  // of the last window before the rollout, where the bound is relative
	Tripped bool     `json:"tripped"`
}

// The actions that are no decisions.
const (
	Begin   = "begin"   // flags and nodes were set
	Settled = "settled" // the settling of a step ended; it is not judged
)

// AppendDecision adds a line to rollout.jsonl and syncs it to the disk.
func (r *Run) AppendDecision(d Decision) error {
	if r.rollout == nil {
		f, err := openAppend(r.Dir, RolloutFile)
		if err != nil {
			return err
		}
		r.rollout = f
	}
	d.Schema = RolloutSchema
	line, err := json.Marshal(d)
	if err == nil {
		_, err = r.rollout.Write(append(line, '\n'))
	}
	if err == nil {
		err = r.rollout.Sync()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", RolloutFile, err)
	}
	return nil
}

// maxDecisions bounds the lines of rollout.jsonl that are read.
const maxDecisions = 1_000_000

// Decisions reads rollout.jsonl. A line that was cut short is left out; a
// folder without the file has none.
func (f *Folder) Decisions() ([]Decision, error) {
	arms := f.Manifest.arms()
	return objects(f, RolloutFile, maxDecisions, func(d *Decision) error {
		if d.Pair < 0 {
			return fmt.Errorf("pair %d: expected 0 or more", d.Pair)
		}
		return errors.Join(wrongSchema(d.Schema, RolloutSchema), checkArm(d.Arm, arms))
	})
}
