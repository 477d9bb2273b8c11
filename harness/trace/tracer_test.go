package trace

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"pgregory.net/rapid"

	"switchback/results/record"
)

// memory is an exporter that keeps spans and loses some.
type memory struct {
	spans []*tracepb.Span
	lose  int
}

func (m *memory) Export(_ context.Context, spans []*tracepb.Span) (int, error) {
	m.spans = append(m.spans, spans...)
	if m.lose > 0 {
		return len(spans) - m.lose, errors.New("lost some")
	}
	return len(spans), nil
}

// valueOf returns the value of an attribute of a span, nil without it.
func valueOf(s *tracepb.Span, key string) *commonpb.AnyValue {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value
		}
	}
	return nil
}

func samplesOf(n int) ([]record.Sample, []record.Label) {
	samples, labels := make([]record.Sample, n), make([]record.Label, n)
	for i := range samples {
		due := int64(i) * 1e6
		samples[i] = record.Sample{Target: int32(i), Due: due, Released: due + 10, Sent: due + 20, FirstByte: due + 1000 + int64(i), Done: due + 5000, Status: 200,
			ServerTiming: []byte("route;dur=0.0005;desc=legacy, decode;dur=0.0002, match;dur=0.0003, node;desc=n3, origin;dur=90")}
		labels[i] = record.Label{Host: "h", Path: "/p", Groups: []string{"size=10"}}
	}
	return samples, labels
}

func begun(export exporter, o Options) *Tracer {
	t := NewTracer(export, o)
	t.Begin(record.Manifest{Run: "run-1", Start: time.Unix(100, 0)})
	return t
}

func TestSpanOfARequest(t *testing.T) {
	m := &memory{}
	tracer := begun(m, Options{Share: 1})
	samples, labels := samplesOf(1)
	samples[0].Error = record.ErrBody
	tracer.Draw(0, samples)
	start := time.Unix(200, 0)
	made, err := tracer.Block(context.Background(), Place{Arm: "a", Pair: 3, Block: 1, Start: start}, samples, labels)
	if err != nil || made != (record.Spans{Made: 1, Delivered: 1}) {
		t.Fatal(made, err)
	}
	s := m.spans[0]
	id := samples[0].TraceID.SpanID()
	if !bytes.Equal(s.TraceId, samples[0].TraceID[:]) || !bytes.Equal(s.SpanId, id[:]) || s.ParentSpanId != nil || s.Kind != tracepb.Span_SPAN_KIND_CLIENT {
		t.Errorf("identity of %v", s)
	}
	if s.StartTimeUnixNano != 200e9 || s.EndTimeUnixNano != 200e9+5000 {
		t.Errorf("from %d to %d", s.StartTimeUnixNano, s.EndTimeUnixNano)
	}
	var events []string
	for _, e := range s.Events {
		events = append(events, e.Name)
	}
	if got := len(events); got != 4 || events[3] != "first byte" || s.Events[3].TimeUnixNano != 200e9+1000 {
		t.Errorf("events %v", s.Events)
	}
	for key, want := range map[string]string{"switchback.run": "run-1", "switchback.arm": "a", "switchback.size": "10", "http.request.method": "GET", "url.full": "http://h/p", "error.type": "body"} {
		if got := valueOf(s, key).GetStringValue(); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if valueOf(s, "switchback.pair").GetIntValue() != 3 || valueOf(s, "switchback.block").GetIntValue() != 1 || s.Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR {
		t.Errorf("attributes %v, status %v", s.Attributes, s.Status)
	}
	run := tracer.TraceID()
	if len(s.Links) != 1 || !bytes.Equal(s.Links[0].TraceId, run[:]) {
		t.Errorf("links %v; want the run's trace", s.Links)
	}
}

// Every arm of a pair has traces of the same requests, under other ids.
func TestArmsAreSampledAlike(t *testing.T) {
	tracer := begun(&memory{}, Options{})
	a, _ := samplesOf(1000)
	b, _ := samplesOf(1000)
	tracer.Draw(7, a)
	tracer.Draw(7, b)
	sampled := 0
	for i := range a {
		if a[i].TraceID == b[i].TraceID {
			t.Fatalf("request %d has the same trace in both arms", i)
		}
		if a[i].TraceID.Sampled(0.3) != b[i].TraceID.Sampled(0.3) {
			t.Fatalf("request %d is sampled in one arm only", i)
		}
		if a[i].TraceID.Sampled(0.3) {
			sampled++
		}
	}
	if sampled < 200 || sampled > 400 { // seven standard deviations
		t.Errorf("%d of 1000 sampled, want about 300", sampled)
	}
}

// The slowest requests are there without sampling, with the server's phases
// laid out below them.
func TestSlowestAreReconstructed(t *testing.T) {
	m := &memory{}
	tracer := begun(m, Options{Share: 0, Slowest: 2})
	samples, labels := samplesOf(10)
	tracer.Draw(0, samples)
	if _, err := tracer.Block(context.Background(), Place{Arm: "a", Start: time.Unix(0, 0)}, samples, labels); err != nil {
		t.Fatal(err)
	}
	byName := map[string]*tracepb.Span{}
	for _, s := range m.spans[:5] {
		byName[s.Name] = s
		if !valueOf(s, "switchback.reconstructed").GetBoolValue() {
			t.Errorf("%s is not marked as reconstructed", s.Name)
		}
	}
	if len(m.spans) != 10 || len(byName) != 5 {
		t.Fatalf("spans %v; want request, route, decode, match and origin, twice", m.spans)
	}
	request, route := byName["request"], byName["route"]
	for name, parent := range map[string]*tracepb.Span{"route": request, "decode": route, "match": route, "origin": request} {
		s := byName[name]
		if !bytes.Equal(s.ParentSpanId, parent.SpanId) || s.StartTimeUnixNano < parent.StartTimeUnixNano || s.EndTimeUnixNano > parent.EndTimeUnixNano {
			t.Errorf("%s is not within %s: %v", name, parent.Name, s)
		}
	}
	if got := route.EndTimeUnixNano - route.StartTimeUnixNano; got != 500 {
		t.Errorf("route takes %d ns, want 500", got)
	}
	if first := request.Events[3].TimeUnixNano; byName["origin"].EndTimeUnixNano != first {
		t.Errorf("origin ends at %d; want it cut off at the first byte, %d", byName["origin"].EndTimeUnixNano, first)
	}
	slowest := tracer.Slowest()
	if len(slowest) != 2 || slowest[0].TTFB != 1009 || slowest[1].TTFB != 1008 || !slowest[0].Reconstructed || slowest[0].TraceID != samples[9].TraceID {
		t.Errorf("slowest %+v", slowest)
	}
}

func TestSlowestOfARunAreTheSlowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tracer := begun(&memory{}, Options{Slowest: 1000})
		longest := int64(0)
		for range rapid.IntRange(1, 5).Draw(t, "blocks") {
			samples, labels := samplesOf(rapid.IntRange(1, 30).Draw(t, "requests"))
			for i := range samples {
				samples[i].FirstByte = samples[i].Due + rapid.Int64Range(0, 1e6).Draw(t, "ttfb")
				longest = max(longest, samples[i].FirstByte-samples[i].Due)
			}
			tracer.Draw(0, samples)
			if _, err := tracer.Block(context.Background(), Place{}, samples, labels); err != nil {
				t.Fatal(err)
			}
		}
		slowest := tracer.Slowest()
		if len(slowest) > slowestKept || int64(slowest[0].TTFB) != longest {
			t.Fatalf("%d kept, the first %v; want at most %d and %d", len(slowest), slowest[0].TTFB, slowestKept, longest)
		}
		for i := 1; i < len(slowest); i++ {
			if slowest[i].TTFB > slowest[i-1].TTFB {
				t.Fatalf("not in order: %v", slowest)
			}
		}
	})
}

// Whatever a server sends, spans nest and are valid text.
func FuzzReconstruct(f *testing.F) {
	f.Add([]byte("route;dur=1, decode;dur=3"), int64(5), int64(10))
	f.Add([]byte("match;dur=1e9, route;dur=\xff"), int64(-1), int64(-1))
	f.Fuzz(func(t *testing.T, timing []byte, sent, first int64) {
		const limit = 1e12
		sent, first = max(-1, sent%limit), max(-1, first%limit)
		m := &memory{}
		tracer := begun(m, Options{Slowest: 1})
		samples := []record.Sample{{Sent: sent, Released: -1, FirstByte: max(first, sent), Done: -1, ServerTiming: timing}}
		tracer.Draw(0, samples)
		if _, err := tracer.Block(context.Background(), Place{Start: time.Unix(1000, 0)}, samples, []record.Label{{}}); err != nil {
			t.Fatal(err)
		}
		byID := map[string]*tracepb.Span{}
		for _, s := range m.spans {
			byID[string(s.SpanId)] = s
			if parent := byID[string(s.ParentSpanId)]; len(s.ParentSpanId) > 0 && (parent == nil || s.StartTimeUnixNano < parent.StartTimeUnixNano || s.EndTimeUnixNano > parent.EndTimeUnixNano) {
				t.Fatalf("%v is not within %v", s, parent)
			}
			if s.EndTimeUnixNano < s.StartTimeUnixNano {
				t.Fatalf("%v ends before it begins", s)
			}
		}
	})
}

func TestLostSpansAreCounted(t *testing.T) {
	tracer := begun(&memory{lose: 3}, Options{Share: 1})
	samples, labels := samplesOf(10)
	tracer.Draw(0, samples)
	made, err := tracer.Block(context.Background(), Place{}, samples, labels)
	if err == nil || made != (record.Spans{Made: 10, Delivered: 7}) {
		t.Fatal(made, err)
	}
}

func TestSpanOfTheRun(t *testing.T) {
	m := &memory{}
	tracer := begun(m, Options{})
	if _, err := tracer.End(context.Background(), time.Unix(300, 0)); err != nil {
		t.Fatal(err)
	}
	s, id := m.spans[0], tracer.TraceID()
	if s.Name != "run" || !bytes.Equal(s.TraceId, id[:]) || s.StartTimeUnixNano != 100e9 || s.EndTimeUnixNano != 300e9 {
		t.Errorf("span %v", s)
	}
}
