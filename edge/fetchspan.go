package edge

import (
	"time"

	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// fetched is the note of one fetch from the origin.
type fetched struct {
	parent spanRef
	id     trace.SpanID
	when   interval
	ask    ask
	err    error
}

// noteFetch keeps the note of a fetch that began at an instant and has ended,
// if its trace is sampled.
func (s *spans) noteFetch(parent spanRef, a ask, began time.Time, err error) {
	if parent.exists() {
		a.body = nil
		f := &fetched{parent: parent, id: a.span.span, when: interval{began, time.Now()}, ask: a, err: err}
		s.notes.Keep(f.made)
	}
}

// made appends the span.
func (f *fetched) made(to []*tracepb.Span) []*tracepb.Span {
	span := newSpan("origin.fetch", f.parent, f.id, f.when,
		text("http.request.method", f.ask.method), text("server.address", f.ask.host), text("url.path", f.ask.path))
	span.Kind = tracepb.Span_SPAN_KIND_CLIENT
	if f.err != nil {
		failed(span, f.err.Error())
	}
	return append(to, span)
}
