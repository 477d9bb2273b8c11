package trace

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/results/record"
)

// runSpan is the span of a run: a trace of its own that the requests link to.
// As their parent it would make one trace of a hundred thousand spans.
type runSpan struct {
	manifest record.Manifest
	trace    record.TraceID
}

// Begin names the run; to be called before the first block.
func (t *Tracer) Begin(m record.Manifest) {
	t.run.manifest = m
	binary.BigEndian.PutUint64(t.run.trace[:8], t.draws.Uint64())
	binary.BigEndian.PutUint64(t.run.trace[8:], max(t.draws.Uint64(), 1))
}

// End sends the span of the run.
func (t *Tracer) End(ctx context.Context, at time.Time) (record.Spans, error) {
	m, id := t.run.manifest, t.run.trace.SpanID()
	span := &tracepb.Span{
		TraceId: t.run.trace[:], SpanId: id[:], Flags: sampledFlag, Name: "run", Kind: tracepb.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano: unix(m.Start), EndTimeUnixNano: unix(at),
	}
	span.Attributes = append(span.Attributes,
		text(attributeRun, m.Run), text("switchback.experiment", m.Experiment), text("switchback.seed", fmt.Sprint(m.Seed)))
	return t.send(ctx, []*tracepb.Span{span})
}

// TraceID returns the trace of the run's own span.
func (t *Tracer) TraceID() record.TraceID { return t.run.trace }

// link refers to the span of the run.
func (r runSpan) link() []*tracepb.Span_Link {
	span := r.trace.SpanID()
	return []*tracepb.Span_Link{{TraceId: r.trace[:], SpanId: span[:], Flags: sampledFlag}}
}

// unix returns an instant as OTLP has it.
func unix(t time.Time) uint64 { return uint64(t.UnixNano()) }
