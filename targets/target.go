// Package targets says what is asked for: a seeded stream of requests over a
// dataset, with the answer that each must get.
package targets

import "switchback/datasets"

// Settings of the model; the zero value of a field is its default.
type Settings struct {
	Model      string         `yaml:"model,omitempty" json:"model,omitempty"`           // pages
	Popularity float64        `yaml:"popularity,omitempty" json:"popularity,omitempty"` // Zipf exponent over projects; default 0.9
	PerBlock   map[string]int `yaml:"per_block,omitempty" json:"per_block,omitempty"`   // requests of each size in a block: "10000", "tail", "unknown"
	Unknown    string         `yaml:"unknown,omitempty" json:"unknown,omitempty"`       // share of unknown hostnames without PerBlock; default 5%
	Assets     int            `yaml:"assets,omitempty" json:"assets,omitempty"`         // assets of a page view; 0: single requests
}

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
}

// Stream yields the targets of blocks. The same seed and dataset give the
// same targets on every machine.
type Stream interface {
	// Block returns the targets of the next round, in the order they are sent.
	Block(n int) ([]Target, error)
}

var _ = datasets.Suffix
