package edge

import (
	"bytes"
	"context"
	"net/http/httptest"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/datasets"
	"switchback/harness/trace"
	"switchback/origin"
	"switchback/results/record"
)

// sink is an exporter that keeps spans.
type sink struct {
	mu    sync.Mutex
	spans []*tracepb.Span
}

func (s *sink) Export(_ context.Context, spans []*tracepb.Span) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spans = append(s.spans, spans...)
	return len(spans), nil
}

const (
	sampledParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	otherParent   = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
)

// flush sends what is noted.
func flush(t *testing.T, notes *trace.Notes) record.Spans {
	t.Helper()
	counts, err := notes.Flush(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// asked sends one request through an edge and returns its spans by name, in
// the order made.
func asked(t *testing.T, e *Edge, notes *trace.Notes, s *sink, host, path, parent string) map[string][]*tracepb.Span {
	t.Helper()
	r := httptest.NewRequest("GET", "http://"+host+path, nil)
	r.Header.Set("Traceparent", parent)
	e.ServeHTTP(httptest.NewRecorder(), r)
	flush(t, notes)
	by := map[string][]*tracepb.Span{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, span := range s.spans {
		by[span.Name] = append(by[span.Name], span)
	}
	s.spans = nil
	return by
}

// checkWithin fails unless child is in the trace of parent, under it and
// within its time.
func checkWithin(t *testing.T, child, parent *tracepb.Span) {
	t.Helper()
	if !bytes.Equal(child.TraceId, parent.TraceId) || !bytes.Equal(child.ParentSpanId, parent.SpanId) ||
		child.StartTimeUnixNano < parent.StartTimeUnixNano || child.EndTimeUnixNano > parent.EndTimeUnixNano || child.EndTimeUnixNano < child.StartTimeUnixNano {
		t.Errorf("%s %x (%d–%d) is not within %s %x (%d–%d)", child.Name, child.ParentSpanId, child.StartTimeUnixNano, child.EndTimeUnixNano,
			parent.Name, parent.SpanId, parent.StartTimeUnixNano, parent.EndTimeUnixNano)
	}
}

// The chain of a miss ends at the origin, that of a hit at the cache, with
// nodes inside the edge and with nodes that listen.
func TestChainOfSpans(t *testing.T) {
	behind := &sink{}
	notesBehind := trace.NewNotes(behind)
	w := newWorld(t, datasets.Settings{Sizes: []int{20}}, origin.Options{})
	w.server.Close()
	w.server = httptest.NewServer(notesBehind.Server("origin", w.origin)) // ends with the world
	for name, listeners := range map[string]bool{"nodes within": false, "listening nodes": true} {
		t.Run(name, func(t *testing.T) {
			s := &sink{}
			notes := trace.NewNotes(s)
			e := w.edge(Options{Router: "legacy", NodeListeners: listeners, Spans: notes})
			var asset target
			for _, x := range w.targets {
				if !x.function {
					asset = x
					break
				}
			}
			miss := asked(t, e, notes, s, asset.host, asset.path, sampledParent)
			for _, name := range []string{"edge", "route", "ring", "cache", "origin.fetch"} {
				if len(miss[name]) != 1 {
					t.Fatalf("a miss has %d spans %s, want 1", len(miss[name]), name)
				}
			}
			front, fetch := miss["edge"][0], miss["origin.fetch"][0]
			if string(front.ParentSpanId) != "\xb7\xad\x6b\x71\x69\x20\x33\x31" {
				t.Errorf("edge is under %x", front.ParentSpanId)
			}
			for _, name := range []string{"route", "ring", "cache"} {
				checkWithin(t, miss[name][0], front)
			}
			checkWithin(t, fetch, miss["cache"][0])
			flush(t, notesBehind)
			if len(behind.spans) != 1 {
				t.Fatalf("the origin has %d spans, want 1", len(behind.spans))
			}
			checkWithin(t, behind.spans[0], fetch)
			behind.spans = nil

			hit := asked(t, e, notes, s, asset.host, asset.path, sampledParent)
			if len(hit["cache"]) != 1 || len(hit["origin.fetch"]) != 0 {
				t.Errorf("a hit has %v", hit)
			}
		})
	}
}

func TestFunctionsSpans(t *testing.T) {
	w := newWorld(t, datasets.Settings{Sizes: []int{30, 5}, Tail: 10}, origin.Options{})
	s := &sink{}
	notes := trace.NewNotes(s)
	e := w.edge(Options{Spans: notes})
	for _, x := range w.targets {
		if !x.function {
			continue
		}
		got := asked(t, e, notes, s, x.host, x.path, sampledParent)
		if len(got["edge"]) != 1 || len(got["origin.fetch"]) != 1 || len(got["cache"]) != 0 {
			t.Fatalf("a function has %v", got)
		}
		checkWithin(t, got["origin.fetch"][0], got["edge"][0])
		return
	}
	t.Fatal("the dataset has no functions")
}

// A request that is not sampled, and one of a host that nobody knows.
func TestSpansOfRefusals(t *testing.T) {
	w := newWorld(t, datasets.Settings{Sizes: []int{10}}, origin.Options{})
	s := &sink{}
	notes := trace.NewNotes(s)
	e := w.edge(Options{Spans: notes})
	if got := asked(t, e, notes, s, "unknown.example", "/", otherParent); len(got) != 0 {
		t.Errorf("a request that is not sampled has %v", got)
	}
	got := asked(t, e, notes, s, "unknown.example", "/", sampledParent)
	if len(got) != 2 || len(got["edge"]) != 1 || len(got["route"]) != 1 || got["route"][0].Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR {
		t.Errorf("an unknown host has %v; want edge, and a route that failed", got)
	}
}

// Without notes, and for a request that is not sampled, there is nothing to
// pay.
func TestNoTraceCostsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		notes  *spans
		parent string
	}{"off": {nil, sampledParent}, "not sampled": {&spans{notes: trace.NewNotes(&sink{})}, otherParent}} {
		r := httptest.NewRequest("GET", "http://h/", nil)
		r.Header.Set("Traceparent", c.parent)
		if n := testing.AllocsPerRun(100, func() {
			v := c.notes.begin(r)
			v.answered()
			v.close(nil, 200)
		}); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}

// What the head of a request costs: the look for a sampled trace, and the note.
func BenchmarkBegin(b *testing.B) {
	on := &spans{notes: trace.NewNotes(&sink{})}
	for _, c := range []struct {
		name   string
		spans  *spans
		parent string
	}{{"off", nil, sampledParent}, {"no parent", on, ""}, {"not sampled", on, otherParent}, {"sampled", on, sampledParent}} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequest("GET", "http://h/", nil)
			if c.parent != "" {
				r.Header.Set("Traceparent", c.parent)
			}
			b.ReportAllocs()
			for b.Loop() {
				c.spans.begin(r)
			}
		})
	}
}
