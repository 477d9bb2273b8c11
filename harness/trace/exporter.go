package trace

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// chunkSpans is how many spans go into one message: about 250 KB, far below
// the 4 MB that gRPC servers take.
const chunkSpans = 500

// How long an export may take in all: at first, and while the last one failed.
const (
	patience        = 10 * time.Second
	patienceAfter   = 500 * time.Millisecond
	patienceToCheck = 5 * time.Second
)

// Exporter delivers spans to one collector and knows how many arrived. It is
// used by one goroutine at a time.
type Exporter struct {
	endpoint Endpoint
	client   uploader
	resource *resourcepb.Resource
	scope    *commonpb.InstrumentationScope
	failing  bool // the last export did
}

// Open returns an exporter of the spans of a process to the collector at a URL:
// http, https, grpc, grpcs, or FromEnvironment. Nothing is sent yet.
func Open(ctx context.Context, collector, role, version string) (*Exporter, error) {
	endpoint, err := parseEndpoint(collector, signalTraces, os.Getenv)
	if err != nil {
		return nil, err
	}
	attributes, err := resourceOf(role, version, os.Getenv)
	if err != nil {
		return nil, err
	}
	x := &Exporter{endpoint: endpoint, client: newUploader(endpoint),
		resource: spansResource(attributes),
		scope:    &commonpb.InstrumentationScope{Name: "switchback", Version: version}}
	if err := x.client.Start(ctx); err != nil {
		return nil, explain("spans", endpoint, err)
	}
	return x, nil
}

// Check asks whether the collector takes spans, by a span of that name: some
// collectors answer a message without spans with 500. The error is one line
// that tells what was tried and what may be wrong; refused, that the collector
// answered and may take other spans.
func (x *Exporter) Check(ctx context.Context) (refused bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patienceToCheck)
	defer cancel()
	now := unix(time.Now())
	span := &tracepb.Span{TraceId: append(newSpanID(), newSpanID()...), SpanId: newSpanID(), Name: "check", Kind: tracepb.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano: now, EndTimeUnixNano: now}
	if _, err := x.upload(ctx, []*tracepb.Span{span}); err != nil {
		return answered(err), explain("spans", x.endpoint, err)
	}
	return false, nil
}

// answered reports whether an error of a client is what a collector said.
func answered(err error) bool {
	if code := status.Code(err); code != codes.Unknown {
		return code != codes.Unavailable && code != codes.DeadlineExceeded && code != codes.Canceled
	}
	var unreached *url.Error
	return !errors.As(err, &unreached) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled)
}

// Close ends the connection.
func (x *Exporter) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), patienceAfter)
	defer cancel()
	_ = x.client.Stop(ctx) // everything was delivered or counted as lost
}

// Export sends spans and returns how many the collector said it has. The
// others are lost; the error says why, for the first of them. A collector that
// failed before is given less time, so that one that is gone does not hold up
// a run.
func (x *Exporter) Export(ctx context.Context, spans []*tracepb.Span) (delivered int, err error) {
	limit := patience
	if x.failing {
		limit = patienceAfter
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for len(spans) > 0 {
		n := min(chunkSpans, len(spans))
		lost, failed := x.upload(ctx, spans[:n])
		delivered += n - lost
		if failed != nil && err == nil {
			err = explain("spans", x.endpoint, failed)
		}
		if lost == n {
			break // the collector is gone: the rest would wait as long again
		}
		spans = spans[n:]
	}
	x.failing = err != nil
	return delivered, err
}

// upload sends one message and returns how many of its spans were lost.
func (x *Exporter) upload(ctx context.Context, spans []*tracepb.Span) (lost int, err error) {
	err = x.client.UploadTraces(ctx, []*tracepb.ResourceSpans{{Resource: x.resource, ScopeSpans: []*tracepb.ScopeSpans{{Scope: x.scope, Spans: spans}}}})
	if err == nil {
		return 0, nil
	}
	return min(rejected(err, len(spans)), len(spans)), err
}

// rejectedSpans finds the number in the clients' error about a partial success:
// their type for it is internal.
var rejectedSpans = regexp.MustCompile(`OTLP partial success: .*\((\d+) spans rejected\)`)

// rejected returns how many spans an error says were refused, all of n for
// another error.
func rejected(err error, n int) int {
	match := rejectedSpans.FindStringSubmatch(err.Error())
	if match == nil {
		return n
	}
	count, err := strconv.Atoi(match[1])
	if err != nil {
		return n
	}
	return count
}

// explain makes an error of a client one line that says what may be wrong.
func explain(what string, e Endpoint, err error) error {
	said := strings.Join(strings.Fields(err.Error()), " ")
	said, _, page := strings.Cut(said, " (body: <") // of a web server
	if len(said) > 300 {
		said = said[:300] + "…"
	}
	hint := hintOf(what, e, said)
	if hint == "" && page {
		hint = "a web server answers there"
	}
	switch {
	case hint == ErrTakesNoMetrics.Error():
		return fmt.Errorf("sending %s to %s: %s (%w)", what, e, said, ErrTakesNoMetrics)
	case hint != "":
		return fmt.Errorf("sending %s to %s: %s (%s)", what, e, said, hint)
	}
	return fmt.Errorf("sending %s to %s: %s", what, e, said)
}

// hintOf returns what is likely to be wrong, by the words of the error.
func hintOf(what string, e Endpoint, said string) string {
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(said, w) {
				return true
			}
		}
		return false
	}
	switch {
	case what == "metrics" && has("Unimplemented", ": 404 "):
		return ErrTakesNoMetrics.Error()
	case has("connection refused"):
		return "nothing listens there; OTLP is at port " + portGRPC + " for gRPC, " + portHTTP + " for HTTP"
	case has("HTTP response to HTTPS client", "first record does not look like a TLS handshake"):
		return "the collector speaks clear text: use http or grpc"
	case has("certificate", "x509"):
		return "set OTEL_EXPORTER_OTLP_CERTIFICATE to the file of its authority"
	case has("HTTP/1.x", "malformed HTTP response", "http2", "error reading server preface", "Unimplemented"):
		return "it does not speak OTLP/" + strings.TrimSuffix(e.Protocol, "/protobuf") + "; the port may be that of another protocol"
	case has(": 401 ", ": 403 ", "Unauthenticated", "PermissionDenied"):
		return "credentials go into OTEL_EXPORTER_OTLP_HEADERS"
	case has(": 404 "):
		return "no OTLP at this path"
	}
	return ""
}
