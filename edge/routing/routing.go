// Package routing maps a hostname to the pipeline that serves it, by the
// legacy table of regular expressions, by a hashed entry, or by a filter in
// front of it. All routers give the same answer for every hostname.
package routing

import (
	"context"
	"errors"
)

// ErrUnknownHost is returned for a hostname that no deployment has.
var ErrUnknownHost = errors.New("unknown hostname")

// Router finds the pipeline of a hostname.
type Router interface {
	// Route returns the pipeline of host, which may carry a port, a trailing dot or
	// upper case. The error is ErrUnknownHost, or the store's.
	Route(ctx context.Context, host string) (*Pipeline, error)
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
