package edge

import (
	"net/http"

	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// SpanNotes keeps notes of what sampled requests did until their spans are
// sent. The harness has one (package trace); the edge knows no collector.
type SpanNotes interface {
	// Begin returns the sampled span that a request names as its parent, and a
	// function to call once its notes are kept; nil when its trace is not sampled.
	Begin(h http.Header) (parent trace.SpanContext, end func())
	// Keep takes a note: a function that appends the spans of what has ended.
	Keep(spans func(to []*tracepb.Span) []*tracepb.Span)
}

// spans is the edge's side of SpanNotes. Nil, it samples nothing.
type spans struct {
	notes SpanNotes
	colo  string
}

func newSpans(options Options) *spans {
	if options.Spans == nil {
		return nil
	}
	return &spans{notes: options.Spans, colo: options.Colo}
}

// spanRef names a span of a sampled trace; the zero value is none.
type spanRef struct {
	trace trace.TraceID
	span  trace.SpanID
}

// headerTrace is W3C Trace Context's header.
const headerTrace = "Traceparent"

func (r spanRef) exists() bool { return r.trace.IsValid() }

// header is the value of traceparent that makes this span the parent.
func (r spanRef) header() []string {
	return []string{"00-" + r.trace.String() + "-" + r.span.String() + "-01"}
}

// parent returns the sampled span that a request names as its parent, and what
// ends its notes; nil for none.
func (s *spans) parent(r *http.Request) (ref spanRef, end func()) {
	if s == nil {
		return ref, nil
	}
	parent, end := s.notes.Begin(r.Header)
	if end == nil {
		return ref, nil
	}
	return spanRef{parent.TraceID(), parent.SpanID()}, end
}
