package trace

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	oteltrace "go.opentelemetry.io/otel/trace"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/results/record"
)

// maxNotes bounds what a server keeps between two flushes; further notes are
// lost, and counted.
const maxNotes = 1 << 17

// Notes keeps what the sampled requests of a server did until they are sent,
// which is when somebody asks for it: a request pays for a note, not for a
// span. Nil, it samples nothing.
type Notes struct {
	export exporter

	flushing sync.Mutex   // held for a whole flush
	open     atomic.Int64 // requests under way whose notes will come

	mu    sync.Mutex
	kept  []note
	count record.Spans
}

// note appends the spans of something that has ended.
type note = func(to []*tracepb.Span) []*tracepb.Span

// NewNotes returns notes whose spans go to an exporter.
func NewNotes(export exporter) *Notes { return &Notes{export: export} }

// Begin returns the span that a request names as its parent, and a function to
// call once its notes are kept; nil when its trace is not sampled.
func (n *Notes) Begin(h http.Header) (parent oteltrace.SpanContext, end func()) {
	if n == nil {
		return parent, nil
	}
	if parent = parentOf(h); !parent.IsValid() {
		return parent, nil
	}
	n.open.Add(1)
	return parent, n.end
}

func (n *Notes) end() { n.open.Add(-1) }

// Keep takes a note: a function that appends the spans of what has ended.
func (n *Notes) Keep(spans func(to []*tracepb.Span) []*tracepb.Span) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.kept) < maxNotes {
		n.kept = append(n.kept, spans)
		return
	}
	n.count.Made += int64(len(spans(nil)))
}

// settleFor bounds how long a flush waits for notes of requests that are
// being answered: whoever asked has the whole answer a moment before its
// handler returns. Slower requests are left to the next flush.
const settleFor = 100 * time.Millisecond

func (n *Notes) settle() {
	for began := time.Now(); n.open.Load() > 0 && time.Since(began) < settleFor; {
		time.Sleep(time.Millisecond)
	}
}

// Flush sends the spans of what is kept, each with the attributes, and returns
// the counts since the start. The error says why some did not arrive.
func (n *Notes) Flush(ctx context.Context, attributes []*commonpb.KeyValue) (record.Spans, error) {
	if n == nil {
		return record.Spans{}, nil
	}
	n.flushing.Lock()
	defer n.flushing.Unlock()
	n.settle()
	made := n.take()
	for _, s := range made {
		s.Attributes = append(s.Attributes, attributes...)
	}
	delivered, err := 0, error(nil)
	if len(made) > 0 {
		delivered, err = n.export.Export(ctx, made)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.count.Delivered += int64(delivered)
	return n.count, err
}

// take makes the spans of all notes, which are then forgotten.
func (n *Notes) take() (made []*tracepb.Span) {
	n.mu.Lock()
	kept := n.kept
	n.kept = nil
	n.mu.Unlock()
	for _, spans := range kept {
		made = spans(made)
	}
	n.mu.Lock()
	n.count.Made += int64(len(made))
	n.mu.Unlock()
	return made
}
