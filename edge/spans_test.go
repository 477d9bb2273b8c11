package edge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/datasets"
	"switchback/edge/admin"
	"switchback/origin"
)

// sink is an exporter that keeps spans, or loses them with an error.
type sink struct {
	mu    sync.Mutex
	spans []*tracepb.Span
	err   error
}

func (s *sink) Export(_ context.Context, spans []*tracepb.Span) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	s.spans = append(s.spans, spans...)
	return len(spans), nil
}

const (
	sampledParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	otherParent   = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
)

// flush asks an admin API for its spans.
func flush(t *testing.T, handler http.Handler) (counts admin.Spans) {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("POST", "/spans/flush", nil))
	if err := json.Unmarshal(w.Body.Bytes(), &counts); err != nil || w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return counts
}

// asked sends one request through an edge and returns its spans by name, in
// the order made.
func asked(t *testing.T, e *Edge, s *sink, host, path, parent string) map[string][]*tracepb.Span {
	t.Helper()
	r := httptest.NewRequest("GET", "http://"+host+path, nil)
	r.Header.Set("Traceparent", parent)
	e.ServeHTTP(httptest.NewRecorder(), r)
	flush(t, e.AdminHandler())
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
	w := newWorld(t, datasets.Settings{Sizes: []int{20}}, origin.Options{Spans: behind})
	for name, listeners := range map[string]bool{"nodes within": false, "listening nodes": true} {
		t.Run(name, func(t *testing.T) {
			s := &sink{}
			e := w.edge(Options{Router: "legacy", NodeListeners: listeners, Spans: s})
			var asset target
			for _, x := range w.targets {
				if !x.function {
					asset = x
					break
				}
			}
			miss := asked(t, e, s, asset.host, asset.path, sampledParent)
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
			flush(t, w.origin.AdminHandler())
			if len(behind.spans) != 1 {
				t.Fatalf("the origin has %d spans, want 1", len(behind.spans))
			}
			checkWithin(t, behind.spans[0], fetch)
			behind.spans = nil

			hit := asked(t, e, s, asset.host, asset.path, sampledParent)
			if len(hit["cache"]) != 1 || len(hit["origin.fetch"]) != 0 {
				t.Errorf("a hit has %v", hit)
			}
		})
	}
}

func TestFunctionsSpans(t *testing.T) {
	w := newWorld(t, datasets.Settings{Sizes: []int{30, 5}, Tail: 10}, origin.Options{})
	s := &sink{}
	e := w.edge(Options{Spans: s})
	for _, x := range w.targets {
		if !x.function {
			continue
		}
		got := asked(t, e, s, x.host, x.path, sampledParent)
		if len(got["edge"]) != 1 || len(got["origin.fetch"]) != 1 || len(got["cache"]) != 0 {
			t.Fatalf("a function has %v", got)
		}
		checkWithin(t, got["origin.fetch"][0], got["edge"][0])
		return
	}
	t.Fatal("the dataset has no functions")
}

// Spans are counted since the start, and lost ones are not delivered.
func TestFlushCounts(t *testing.T) {
	w := newWorld(t, datasets.Settings{Sizes: []int{10}}, origin.Options{})
	s := &sink{}
	e := w.edge(Options{Spans: s})
	if got := asked(t, e, s, "unknown.example", "/", otherParent); len(got) != 0 {
		t.Errorf("a request that is not sampled has %v", got)
	}
	asked(t, e, s, "unknown.example", "/", sampledParent) // edge and route
	s.err = errors.New("no collector")
	asked(t, e, s, "unknown.example", "/", sampledParent)
	if got, want := flush(t, e.AdminHandler()), (admin.Spans{Made: 4, Delivered: 2}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	without := w.edge(Options{})
	if got := flush(t, without.AdminHandler()); got != (admin.Spans{}) {
		t.Errorf("an edge without spans says %+v", got)
	}
}

// What is kept between two flushes is bounded, and the rest is counted.
func TestNotesAreBounded(t *testing.T) {
	s := &spans{exporter: &sink{}}
	for range maxNotes + 10 {
		s.keep(&fetched{})
	}
	if got := s.flush(context.Background()); got.Made != maxNotes+10 || got.Delivered != maxNotes {
		t.Errorf("counts %+v", got)
	}
}

// Without an exporter, and for a request that is not sampled, there is nothing
// to pay.
func TestNoTraceCostsNothing(t *testing.T) {
	r := httptest.NewRequest("GET", "http://h/", nil)
	r.Header.Set("Traceparent", sampledParent)
	var off *spans
	if n := testing.AllocsPerRun(100, func() {
		v := off.begin(r)
		v.answered()
		v.close(nil, 200)
	}); n != 0 {
		t.Errorf("%v allocations without an exporter, want none", n)
	}
}

func BenchmarkBegin(b *testing.B) {
	for name, c := range map[string]struct {
		spans  *spans
		parent string
	}{
		"off":         {nil, sampledParent},
		"no parent":   {&spans{}, ""},
		"not sampled": {&spans{}, otherParent},
		"sampled":     {&spans{}, sampledParent},
	} {
		b.Run(name, func(b *testing.B) {
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
