package trace

import (
	"encoding/binary"
	"slices"
	"strings"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/results/record"
)

// groupAttribute makes an attribute of a group: size=10000 is switchback.size.
func groupAttribute(group string) *commonpb.KeyValue {
	key, value, _ := strings.Cut(group, "=")
	return text("switchback."+key, value)
}

// reconstruct adds spans for the phases in the sample's Server-Timing, under
// the client's span that was added last. The server says how long each took
// and not when it began, so they are laid out one after the other from the
// instant the request was sent, and cut off at its first byte.
func (b *builder) reconstruct(s *record.Sample) {
	request := b.spans[len(b.spans)-1]
	request.Attributes = append(request.Attributes, yes(attributeReconstructed))
	timing, _ := record.ParseServerTiming(nil, s.ServerTiming) // what stands before an error counts
	from, limit := s.Sent, ended(s)
	if s.FirstByte != record.Never {
		limit = s.FirstByte
	}
	if from == record.Never {
		return
	}
	parents := map[string]*phaseSpan{"": {span: request, next: from}}
	for i, t := range timing {
		if !t.Timed {
			request.Attributes = append(request.Attributes, text("switchback."+string(t.Name), string(t.Desc)))
			continue
		}
		parent := parents[partOf(string(t.Name))]
		if parent == nil {
			parent = parents[""]
		}
		begin := min(parent.next, limit)
		parent.next = min(begin+t.Nanos, limit)
		span := b.phase(s, t, i, parent.span)
		span.StartTimeUnixNano, span.EndTimeUnixNano = b.instant(begin), b.instant(parent.next)
		parents[string(t.Name)] = &phaseSpan{span: span, next: begin}
	}
}

// phaseSpan is a span and the instant at which the next one under it begins.
type phaseSpan struct {
	span *tracepb.Span
	next int64
}

// partOf returns the phase that another is a part of, as the built-in edge
// reports them; "" for none.
func partOf(phase string) string {
	switch phase {
	case "decode", "match":
		return "route"
	}
	return ""
}

// phase adds the span of one entry of Server-Timing.
func (b *builder) phase(s *record.Sample, t record.Timing, i int, parent *tracepb.Span) *tracepb.Span {
	client := s.TraceID.SpanID()
	id := binary.BigEndian.AppendUint64(nil, max(binary.BigEndian.Uint64(client[:])+uint64(i)+1, 1))
	span := &tracepb.Span{
		TraceId: s.TraceID[:], SpanId: id, ParentSpanId: parent.SpanId, Flags: sampledFlag,
		Name: string(t.Name), Kind: tracepb.Span_SPAN_KIND_INTERNAL,
		Attributes: append(slices.Clone(b.place), yes(attributeReconstructed)),
	}
	if len(t.Desc) > 0 {
		span.Attributes = append(span.Attributes, text("switchback."+string(t.Name), string(t.Desc)))
	}
	b.spans = append(b.spans, span)
	return span
}
