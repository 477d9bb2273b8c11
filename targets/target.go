// Package targets says what is asked for: a seeded stream of requests over a
// dataset, with the answer that each must get. It uses integer arithmetic
// only, so that a seed gives the same requests on every machine.
package targets

// Target is one request and the answer it must get.
type Target struct {
	Host   string `json:"host"`
	Path   string `json:"path"`
	Method string `json:"method,omitempty"` // "" is GET

	Status   int    `json:"status"`    // expected; 0: any below 400
	Bytes    int64  `json:"bytes"`     // expected length of the body, -1: not checked
	BodyHash uint32 `json:"body_hash"` // expected CRC-32C of the body, where Bytes is checked

	Size     string `json:"size,omitempty"`     // group: exact size of a named project, else the power of ten below; "" for no project
	Position string `json:"position,omitempty"` // group: first, middle, last, unknown, none
	View     int32  `json:"view,omitempty"`     // page views are numbered from 1; 0: a single request
	Document bool   `json:"document,omitempty"` // the first request of its page view

	At int64 `json:"at_us,omitempty"` // of an imported request: microseconds from the start of the first one

	Message
}

// The groups by position: the third of the routing table that holds the
// match, oldest deployments first.
const (
	First   = "first"
	Middle  = "middle"
	Last    = "last"
	Unknown = "unknown" // an unknown alias of a project: the whole table is walked
	None    = "none"    // an unknown project
)

// Positions returns the groups by position, in the order of the table.
func Positions() []string { return []string{First, Middle, Last, Unknown, None} }

// Stream yields the targets of blocks. The same seed and dataset give the
// same targets on every machine.
type Stream interface {
	// Block returns the targets of the next round, in the order they are sent.
	// Its n arrivals are single requests or, where Settings.Assets is set, page
	// views: a document followed by its assets. 0 is the stream's own number of
	// arrivals, where it has one: the sum of Settings.PerBlock, or that of the
	// stored block. The error is io.EOF after the last stored block.
	Block(n int) ([]Target, error)
}
