package edge

import (
	"context"
	"errors"
	"reflect"
	"sync"

	"switchback/edge/admin"
	"switchback/edge/routing"
)

// shadowLength is how many disagreements are kept.
const shadowLength = 100

// The kinds of disagreement.
const (
	shadowUnknown  = "unknown"  // the shadow does not know a host that is served
	shadowKnown    = "known"    // the shadow knows a host that is answered as unknown
	shadowPipeline = "pipeline" // both know the host, with different pipelines
	shadowError    = "error"    // one of them failed
)

// shadow asks a second router for each request and notes where it disagrees
// with the one that serves. The requester waits for it: it is a check, and
// its cost is no part of what is measured of a router.
type shadow struct {
	name   string
	router routing.Router

	mu       sync.Mutex
	requests int64
	kinds    map[string]int64
	first    []admin.Disagreement
}

func newShadow(name string, router routing.Router) *shadow {
	return &shadow{name: name, router: router, kinds: map[string]int64{}}
}

// compare asks for host and compares with what was served.
func (s *shadow) compare(ctx context.Context, host string, served *routing.Pipeline, errServed error) {
	answer, err := s.router.Route(ctx, host)
	kind := disagreement(served, errServed, answer.Pipeline, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if kind == "" {
		return
	}
	s.kinds[kind]++
	if len(s.first) < shadowLength {
		s.first = append(s.first, admin.Disagreement{Kind: kind, Host: host, Served: word(served, errServed), Shadow: word(answer.Pipeline, err)})
	}
}

// disagreement returns the kind, or "" when both answers are the same. Two
// failures of the store are the same.
func disagreement(served *routing.Pipeline, errServed error, other *routing.Pipeline, errOther error) string {
	servedUnknown, otherUnknown := errors.Is(errServed, routing.ErrUnknownHost), errors.Is(errOther, routing.ErrUnknownHost)
	switch {
	case servedUnknown && otherUnknown:
		return ""
	case servedUnknown && errOther == nil:
		return shadowKnown
	case otherUnknown && errServed == nil:
		return shadowUnknown
	case errServed != nil && errOther != nil && !servedUnknown && !otherUnknown:
		return ""
	case errServed != nil || errOther != nil:
		return shadowError
	case !reflect.DeepEqual(served, other):
		return shadowPipeline
	}
	return ""
}

func word(p *routing.Pipeline, err error) string {
	switch {
	case errors.Is(err, routing.ErrUnknownHost):
		return "unknown"
	case err != nil:
		return err.Error()
	}
	return p.Deployment
}

// stats returns what was found so far.
func (s *shadow) stats() *admin.Shadow {
	s.mu.Lock()
	defer s.mu.Unlock()
	kinds := make(map[string]int64, len(s.kinds))
	for kind, n := range s.kinds {
		kinds[kind] = n
	}
	return &admin.Shadow{Router: s.name, Requests: s.requests, Disagreements: kinds, First: append([]admin.Disagreement{}, s.first...)}
}
