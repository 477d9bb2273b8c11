package record

// Window is a change while serving and the stretch of a block in which its
// effect is looked for. A block has one for each change of its experiment,
// those of other arms included: there the stretch is only marked. A summary
// has the plan alone.
type Window struct {
	Cell   string  `json:"cell,omitempty"` // of a sweep; in a summary
	Arm    string  `json:"arm"`            // that is changed
	Do     string  `json:"do"`             // reload, run, kill, node_down, node_up, flags
	With   string  `json:"with,omitempty"` // the command, the node or the flags
	At     float64 `json:"at"`             // seconds since the start of the measured part: the window's start, as planned
	Length float64 `json:"length"`         // seconds

	AddHosts    int `json:"add_hosts,omitempty"`
	RemoveHosts int `json:"remove_hosts,omitempty"`

	// Of a block of the arm that is changed.
	Began  *float64 `json:"began,omitempty"`  // seconds since the start of the measured part: when it was done
	Took   float64  `json:"took,omitempty"`   // seconds until the command ended
	Effect float64  `json:"effect,omitempty"` // seconds until it could be seen
	Error  string   `json:"error,omitempty"`  // why it was not done, or could not be seen
}
