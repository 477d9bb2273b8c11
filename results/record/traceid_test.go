package record

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"pgregory.net/rapid"
)

func traceIDs() *rapid.Generator[TraceID] {
	return rapid.Custom(func(t *rapid.T) (id TraceID) {
		copy(id[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		id[0] |= 1 // all zeros are no trace
		return id
	})
}

// OpenTelemetry reads from the header what was written into it.
func TestTraceParentIsReadByOpenTelemetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id, sampled := traceIDs().Draw(t, "id"), rapid.Bool().Draw(t, "sampled")
		b := make([]byte, TraceParentBytes)
		id.PutParent(b, sampled)
		ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": string(b)})
		got := trace.SpanContextFromContext(ctx)
		if got.TraceID() != trace.TraceID(id) || got.SpanID() != id.SpanID() || got.IsSampled() != sampled {
			t.Fatalf("%s was read as %v, span %v, sampled %v", b, got.TraceID(), got.SpanID(), got.IsSampled())
		}
	})
}

// The library's sampler by ratio decides alike.
func TestSampledIsTheRuleOfOpenTelemetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id, share := traceIDs().Draw(t, "id"), rapid.Float64Range(0, 1).Draw(t, "share")
		decision := sdk.TraceIDRatioBased(share).ShouldSample(sdk.SamplingParameters{TraceID: trace.TraceID(id)}).Decision
		if got, want := id.Sampled(share), decision == sdk.RecordAndSample; got != want {
			t.Fatalf("sampled in %v: %v, want %v", share, got, want)
		}
	})
}

func TestTraceIDText(t *testing.T) {
	if got := (TraceID{}).String(); got != "" {
		t.Errorf("no trace is written %q, want nothing", got)
	}
	if got := (TraceID{0: 0x0a, 15: 0xff}).String(); got != "0a0000000000000000000000000000ff" {
		t.Errorf("got %s", got)
	}
}

func TestPutParentDoesNotAllocate(t *testing.T) {
	id, b := TraceID{1, 2, 3}, make([]byte, TraceParentBytes)
	if n := testing.AllocsPerRun(100, func() { id.PutParent(b, id.Sampled(0.5)) }); n != 0 {
		t.Fatalf("%v allocations, want none", n)
	}
}

func BenchmarkPutParent(b *testing.B) {
	id, to := TraceID{1, 2, 3}, make([]byte, TraceParentBytes)
	b.ReportAllocs()
	for b.Loop() {
		id[7]++
		id.PutParent(to, id.Sampled(0.1))
	}
}
