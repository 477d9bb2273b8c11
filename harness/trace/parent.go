package trace

import (
	"context"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/propagation"
	oteltrace "go.opentelemetry.io/otel/trace"

	"switchback/results/record"
)

// headerParent is W3C Trace Context's header, as net/http spells it.
const headerParent = "Traceparent"

// parentOf returns the span that a request names as its parent, if its trace
// is sampled; else one that is not valid. The flag that says so has a fixed
// place, and is looked at first: what is not sampled is not parsed (13 ns and no
// allocation instead of 360 ns and four).
func parentOf(h http.Header) oteltrace.SpanContext {
	values := h[headerParent]
	if len(values) == 0 || !maySample(values[0]) {
		return oteltrace.SpanContext{}
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(h))
	if parent := oteltrace.SpanContextFromContext(ctx); parent.IsSampled() {
		return parent
	}
	return oteltrace.SpanContext{}
}

// maySample reports whether the last digit of a traceparent's flags is odd: its
// lowest bit is the sampled flag.
func maySample(parent string) bool {
	return len(parent) >= record.TraceParentBytes && strings.IndexByte("13579bdf", parent[record.TraceParentBytes-1]) >= 0
}
