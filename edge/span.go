package edge

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// newSpanID draws the id of a span.
func newSpanID() (id trace.SpanID) {
	binary.BigEndian.PutUint64(id[:], max(rand.Uint64(), 1))
	return id
}

// interval is when something began and ended.
type interval struct{ began, ended time.Time }

func since(began time.Time, took time.Duration) interval { return interval{began, began.Add(took)} }

// newSpan makes the span id under parent.
func newSpan(name string, parent spanRef, id trace.SpanID, when interval, attributes ...*commonpb.KeyValue) *tracepb.Span {
	return &tracepb.Span{
		TraceId: parent.trace[:], ParentSpanId: parent.span[:], SpanId: id[:], Flags: uint32(trace.FlagsSampled),
		Name: name, Kind: tracepb.Span_SPAN_KIND_INTERNAL, Attributes: attributes,
		StartTimeUnixNano: uint64(when.began.UnixNano()), EndTimeUnixNano: uint64(when.ended.UnixNano()),
	}
}

// failed marks a span as one that ended in an error.
func failed(s *tracepb.Span, message string) {
	s.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: strings.ToValidUTF8(message, "\uFFFD")}
}

// text makes an attribute of a text, which must be UTF-8 on the wire.
func text(key, value string) *commonpb.KeyValue {
	value = strings.ToValidUTF8(value, "\uFFFD")
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
}

func whole(key string, value int64) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: value}}}
}

// seconds makes an attribute of a duration.
func seconds(key string, d time.Duration) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: d.Seconds()}}}
}
