package edge

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/edge/admin"
)

// SpanExporter delivers spans to a collector.
type SpanExporter interface {
	// Export returns how many of the spans arrived, and why the others did not.
	Export(ctx context.Context, spans []*tracepb.Span) (delivered int, err error)
}

// maxNotes bounds what is kept between two flushes; further ones are lost.
const maxNotes = 1 << 16

// headerTrace is W3C Trace Context's header.
const headerTrace = "Traceparent"

// spans keeps notes of what sampled requests did until they are sent, which
// is when somebody asks for it: a request pays for a note, not for a span.
// Nil, it keeps nothing and samples nothing.
type spans struct {
	exporter SpanExporter
	colo     string

	flushing sync.Mutex   // held for a whole flush
	open     atomic.Int64 // visits under way

	mu    sync.Mutex
	kept  []note
	count admin.Spans
}

// note is what is known of one or more spans.
type note interface {
	// spans appends them.
	spans(to []*tracepb.Span) []*tracepb.Span
}

func newSpans(options Options) *spans {
	if options.Spans == nil {
		return nil
	}
	return &spans{exporter: options.Spans, colo: options.Colo}
}

// spanRef names a span of a sampled trace; the zero value is none.
type spanRef struct {
	trace trace.TraceID
	span  trace.SpanID
}

func (r spanRef) exists() bool { return r.trace.IsValid() }

// header is the value of traceparent that makes this span the parent.
func (r spanRef) header() []string {
	return []string{"00-" + r.trace.String() + "-" + r.span.String() + "-01"}
}

// parentOf returns the span that a request names as its parent, if that is
// sampled.
func (s *spans) parentOf(r *http.Request) spanRef {
	if s == nil || r.Header[headerTrace] == nil {
		return spanRef{}
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(r.Header))
	parent := trace.SpanContextFromContext(ctx)
	if !parent.IsSampled() {
		return spanRef{}
	}
	return spanRef{parent.TraceID(), parent.SpanID()}
}

// keep takes a note of what has ended.
func (s *spans) keep(n note) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) < maxNotes {
		s.kept = append(s.kept, n)
		return
	}
	s.count.Made += int64(len(n.spans(nil)))
}

// settleFor bounds how long a flush waits for notes of requests that are
// being answered: whoever asked has the whole answer a moment before its
// handler returns. Slower requests are left to the next flush.
const settleFor = 100 * time.Millisecond

func (s *spans) settle() {
	for began := time.Now(); s.open.Load() > 0 && time.Since(began) < settleFor; {
		time.Sleep(time.Millisecond)
	}
}

// flush sends what is kept and returns the counts.
func (s *spans) flush(ctx context.Context) admin.Spans {
	if s == nil {
		return admin.Spans{}
	}
	s.flushing.Lock()
	defer s.flushing.Unlock()
	s.settle()
	made := s.take()
	delivered, err := 0, error(nil)
	if len(made) > 0 {
		delivered, err = s.exporter.Export(ctx, made)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count.Delivered += int64(delivered)
	now := s.count
	if err != nil {
		now.Error = err.Error()
	}
	return now
}

// take makes the spans of all notes, which are then forgotten.
func (s *spans) take() (made []*tracepb.Span) {
	s.mu.Lock()
	kept := s.kept
	s.kept = nil
	s.mu.Unlock()
	for _, n := range kept {
		made = n.spans(made)
	}
	s.mu.Lock()
	s.count.Made += int64(len(made))
	s.mu.Unlock()
	return made
}

func (e *Edge) postFlush(w http.ResponseWriter, r *http.Request) {
	reply(w, e.spans.flush(r.Context()))
}
