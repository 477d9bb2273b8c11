package trace

import (
	"io"
	"net/http"
	"time"

	oteltrace "go.opentelemetry.io/otel/trace"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Server notes the sampled requests of a server that knows nothing of traces:
// one span each, of that name. Others pass by.
func (n *Notes) Server(name string, handler http.Handler) http.Handler {
	if n == nil {
		return handler
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parent, end := n.Begin(r.Header)
		if end == nil {
			handler.ServeHTTP(w, r)
			return
		}
		defer end()
		s := &served{ResponseWriter: w, name: name, parent: parent, began: time.Now(),
			method: r.Method, host: r.Host, path: r.URL.EscapedPath()}
		defer s.keep(n)
		handler.ServeHTTP(s, r)
	})
}

// served is the note of one request. It stands in the way of the answer to see
// when that begins: then the span ends, so that it lies within that of the
// requester, who may have read everything before a handler returns.
type served struct {
	http.ResponseWriter
	name         string
	parent       oteltrace.SpanContext
	began, ended time.Time
	method       string
	host, path   string
	status       int
	bytes        int64
}

// keep lets go of the answer; one that never began ends now.
func (s *served) keep(n *Notes) {
	s.begins(0)
	s.ResponseWriter = nil
	n.Keep(s.spans)
}

// begins notes that the answer begins, with the status that was given first.
func (s *served) begins(status int) {
	if s.ended.IsZero() {
		s.ended, s.status = time.Now(), status
	}
}

// WriteHeader implements http.ResponseWriter.
func (s *served) WriteHeader(status int) {
	if status >= http.StatusOK { // what stands before it is not yet the answer
		s.begins(status)
	}
	s.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (s *served) Write(p []byte) (int, error) {
	s.begins(http.StatusOK)
	n, err := s.ResponseWriter.Write(p)
	s.bytes += int64(n)
	return n, err
}

// ReadFrom implements io.ReaderFrom.
func (s *served) ReadFrom(src io.Reader) (int64, error) {
	s.begins(http.StatusOK)
	n, err := io.Copy(s.ResponseWriter, src)
	s.bytes += n
	return n, err
}

// Unwrap is for http.ResponseController.
func (s *served) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// spans appends the server's span, by the semantic conventions for HTTP.
func (s *served) spans(to []*tracepb.Span) []*tracepb.Span {
	trace, parent := s.parent.TraceID(), s.parent.SpanID()
	span := &tracepb.Span{
		TraceId: trace[:], ParentSpanId: parent[:], SpanId: newSpanID(), Flags: sampledFlag, Name: s.name, Kind: tracepb.Span_SPAN_KIND_SERVER,
		StartTimeUnixNano: unix(s.began), EndTimeUnixNano: unix(s.ended),
		Attributes: []*commonpb.KeyValue{
			text("http.request.method", s.method), text("server.address", s.host), text("url.path", s.path),
			whole("http.response.status_code", int64(s.status)), whole("http.response.body.size", s.bytes),
		},
	}
	if s.status == 0 || s.status >= http.StatusInternalServerError {
		span.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
	}
	return append(to, span)
}
