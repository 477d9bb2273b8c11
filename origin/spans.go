package origin

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// SpanExporter delivers spans to a collector.
type SpanExporter interface {
	// Export returns how many of the spans arrived, and why the others did not.
	Export(ctx context.Context, spans []*tracepb.Span) (delivered int, err error)
}

// Spans counts the spans of an origin since its start.
type Spans struct {
	Made      int64  `json:"made"`
	Delivered int64  `json:"delivered"`
	Error     string `json:"error,omitempty"` // why spans of this flush did not arrive
}

// maxSpans bounds what is kept between two flushes; further ones are lost.
const maxSpans = 1 << 17

// spans keeps what sampled requests did until they are sent: a request pays
// for a note, not for a span.
type spans struct {
	exporter SpanExporter

	flushing sync.Mutex   // held for a whole flush
	open     atomic.Int64 // notes of requests under way

	mu    sync.Mutex
	kept  []*note
	count Spans
}

// parentOf returns the span that a request names as its parent, if that is
// sampled.
func (s *spans) parentOf(r *http.Request) (parent trace.SpanContext, ok bool) {
	if s == nil || r.Header["Traceparent"] == nil {
		return parent, false
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(r.Header))
	parent = trace.SpanContextFromContext(ctx)
	return parent, parent.IsSampled()
}

// keep takes the note of a request that has ended.
func (s *spans) keep(n *note) {
	n.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.open.Add(-1)
	s.count.Made++
	if len(s.kept) < maxSpans {
		s.kept = append(s.kept, n)
	}
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
func (s *spans) flush(ctx context.Context) Spans {
	if s == nil {
		return Spans{}
	}
	s.flushing.Lock()
	defer s.flushing.Unlock()
	s.settle()
	s.mu.Lock()
	kept := s.kept
	s.kept = nil
	s.mu.Unlock()
	made := make([]*tracepb.Span, len(kept))
	for i := range kept {
		made[i] = kept[i].span()
	}
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

// postFlush serves POST /spans/flush.
func (o *Origin) postFlush(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o.spans.flush(r.Context())) // the requester went away
}
