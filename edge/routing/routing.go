// Package routing maps a hostname to the pipeline that serves it, by the
// legacy table of regular expressions, by a hashed entry, or by a filter in
// front of it. All routers give the same answer for every hostname.
package routing

import (
	"context"
	"errors"
	"time"
)

// ErrUnknownHost is returned for a hostname that no deployment has.
var ErrUnknownHost = errors.New("unknown hostname")

// Router finds the pipeline of a hostname. It is safe for concurrent use.
type Router interface {
	// Route returns the pipeline of host, which is in canonical form. The error is ErrUnknownHost, or the store's. The answer's
	// costs are set with an error too.
	Route(ctx context.Context, host string) (Answer, error)
}

// Answer is the pipeline of a hostname, and what it took to find it. The
// costs are those of a legacy table; they are zero where none was used.
type Answer struct {
	Pipeline   *Pipeline     // nil with an error
	Decode     time.Duration // decoding the table's JSON in this request
	Match      time.Duration // compiling and trying its expressions
	TableBytes int           // of the table's JSON
	Tried      int           // expressions tried: the position of the match, from 1
}

// Pipeline is what serves a deployment. It is shared between requests and
// never changed.
type Pipeline struct {
	Deployment string  `json:"deployment"`
	Stages     []Stage `json:"stages"`
}

// Stage is one step of a pipeline.
type Stage struct {
	Name     string            `json:"name"`            // functions or asset-server
	Paths    []string          `json:"paths,omitempty"` // functions: the path prefixes it answers
	Bindings map[string]string `json:"bindings,omitempty"`
}
