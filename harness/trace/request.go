package trace

import (
	"slices"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/results/record"
)

// sampledFlag is the trace flag of spans that are kept (W3C Trace Context).
const sampledFlag = 1

// builder makes the spans of one block.
type builder struct {
	run   runSpan
	at    Place
	place []*commonpb.KeyValue // what says where that is
	spans []*tracepb.Span
}

// instant returns an instant of a sample as OTLP has it.
func (b *builder) instant(ns int64) uint64 { return unix(b.at.Start.Add(time.Duration(ns))) }

// request adds the client's span of a request: from due to done, with the
// instants between them as events.
func (b *builder) request(s *record.Sample, l record.Label) {
	id := s.TraceID.SpanID()
	span := &tracepb.Span{
		TraceId: s.TraceID[:], SpanId: id[:], Flags: sampledFlag, Name: "request", Kind: tracepb.Span_SPAN_KIND_CLIENT,
		StartTimeUnixNano: b.instant(s.Due), EndTimeUnixNano: b.instant(ended(s)),
		Attributes: b.attributes(s, l), Links: b.run.link(),
	}
	for _, e := range []struct {
		name string
		at   int64
	}{{"due", s.Due}, {"released", s.Released}, {"sent", s.Sent}, {"first byte", s.FirstByte}} {
		if e.at != record.Never {
			span.Events = append(span.Events, &tracepb.Span_Event{Name: e.name, TimeUnixNano: b.instant(e.at)})
		}
	}
	if s.Error != record.OK {
		span.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: s.Error.String()}
		span.Attributes = append(span.Attributes, text("error.type", s.Error.String()))
	}
	b.spans = append(b.spans, span)
}

// attributes describes a request by the semantic conventions for HTTP clients,
// and its place in the run.
func (b *builder) attributes(s *record.Sample, l record.Label) []*commonpb.KeyValue {
	method := l.Method
	if method == "" {
		method = "GET"
	}
	all := append(slices.Clone(b.place),
		text("http.request.method", method), text("server.address", l.Host), text("url.full", "http://"+l.Host+l.Path))
	for _, g := range l.Groups {
		all = append(all, groupAttribute(g))
	}
	if s.Status != 0 {
		all = append(all, whole("http.response.status_code", int64(s.Status)), whole("http.response.body.size", s.Bytes))
	}
	return all
}

// ended returns the instant at which a request ended: the last that is known
// of one that did not.
func ended(s *record.Sample) int64 {
	return max(s.Done, s.FirstByte, s.Sent, s.Released, s.Due)
}
