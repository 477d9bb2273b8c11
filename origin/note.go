package origin

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// note is what a sampled request did. It stands in the way of the answer to
// see when that begins: then the span ends, so that it lies within that of
// the requester, who may have read everything before a handler returns.
type note struct {
	answerWriter
	parent       trace.SpanContext
	began, ended time.Time
	method       string
	host, path   string
}

// begin starts the note of a request.
func (s *spans) begin(w http.ResponseWriter, r *http.Request, parent trace.SpanContext) *note {
	s.open.Add(1)
	return &note{answerWriter: answerWriter{ResponseWriter: w}, parent: parent, began: time.Now(),
		method: r.Method, host: r.Host, path: r.URL.EscapedPath()}
}

// begins notes that the answer begins, with the status 200 unless another was
// given.
func (n *note) begins(status int) {
	if n.ended.IsZero() {
		n.ended, n.status = time.Now(), status
	}
}

// end lets go of the answer; one that never began ends now.
func (n *note) end() {
	n.begins(0)
	n.ResponseWriter = nil
}

// WriteHeader implements http.ResponseWriter.
func (n *note) WriteHeader(status int) {
	n.begins(status)
	n.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (n *note) Write(p []byte) (int, error) {
	n.begins(http.StatusOK)
	return n.answerWriter.Write(p)
}

// ReadFrom implements io.ReaderFrom.
func (n *note) ReadFrom(src io.Reader) (int64, error) {
	n.begins(http.StatusOK)
	return n.answerWriter.ReadFrom(src)
}

// span makes the server's span of the request, by the semantic conventions for
// HTTP.
func (n *note) span() *tracepb.Span {
	id, parent := n.parent.TraceID(), n.parent.SpanID()
	span := &tracepb.Span{
		TraceId: id[:], ParentSpanId: parent[:], SpanId: binary.BigEndian.AppendUint64(nil, max(rand.Uint64(), 1)),
		Flags: uint32(trace.FlagsSampled), Name: "origin", Kind: tracepb.Span_SPAN_KIND_SERVER,
		StartTimeUnixNano: uint64(n.began.UnixNano()), EndTimeUnixNano: uint64(n.ended.UnixNano()),
		Attributes: []*commonpb.KeyValue{
			text("http.request.method", n.method), text("server.address", n.host), text("url.path", n.path),
			whole("http.response.status_code", int64(n.status)), whole("http.response.body.size", n.bytes),
		},
	}
	if n.status == 0 || n.status >= http.StatusInternalServerError {
		span.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
	}
	return span
}

// text makes an attribute of a text, which must be UTF-8 on the wire.
func text(key, value string) *commonpb.KeyValue {
	value = strings.ToValidUTF8(value, "\uFFFD")
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
}

func whole(key string, value int64) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: value}}}
}
