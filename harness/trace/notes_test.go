package trace

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel/propagation"
	oteltrace "go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

const (
	sampledParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	otherParent   = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
)

// one is a note of one span.
func one(to []*tracepb.Span) []*tracepb.Span { return append(to, &tracepb.Span{Name: "one"}) }

// What the flag's place says is what OpenTelemetry's own parser says.
func FuzzParentOf(f *testing.F) {
	for _, s := range []string{sampledParent, otherParent, "", "00-", sampledParent + "-more", "cc" + sampledParent[2:] + "-more",
		strings.ToUpper(sampledParent), strings.Replace(sampledParent, "0af", "xyz", 1), sampledParent[:53] + "ff", sampledParent[:53] + "03"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, parent string) {
		ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": parent})
		want := oteltrace.SpanContextFromContext(ctx)
		if !want.IsSampled() {
			want = oteltrace.SpanContext{}
		}
		if got := parentOf(http.Header{headerParent: {parent}}); !got.Equal(want) {
			t.Errorf("%q: %v, want %v", parent, got, want)
		}
	})
}

// Spans are counted since the start, those of notes beyond the bound too; lost
// ones are not delivered.
func TestNotesAreCounted(t *testing.T) {
	m := &memory{}
	n := NewNotes(m)
	n.Keep(one)
	if count, err := n.Flush(context.Background(), nil); err != nil || count.Made != 1 || count.Delivered != 1 {
		t.Fatal(count, err)
	}
	m.lose = 1
	n.Keep(one)
	if count, err := n.Flush(context.Background(), nil); err == nil || count.Made != 2 || count.Delivered != 1 {
		t.Fatal(count, err)
	}
	m.lose = 0
	for range maxNotes + 10 {
		n.Keep(one)
	}
	if count, err := n.Flush(context.Background(), nil); err != nil || count.Made != 2+maxNotes+10 || count.Delivered != 1+maxNotes {
		t.Fatal(count, err)
	}
	if count, err := (*Notes)(nil).Flush(context.Background(), nil); err != nil || count.Made != 0 {
		t.Fatal(count, err)
	}
}

// A flush waits for the notes of requests that are being answered. The clock is
// a fake one.
func TestFlushWaitsForOpenNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		n := NewNotes(m)
		_, end := n.Begin(http.Header{headerParent: {sampledParent}})
		flushed := make(chan struct{})
		go func() {
			defer close(flushed)
			_, _ = n.Flush(context.Background(), nil) // memory loses nothing
		}()
		synctest.Wait() // the flush has seen the open request
		n.Keep(one)
		end()
		<-flushed
		if len(m.spans) != 1 {
			t.Errorf("%d spans, want 1", len(m.spans))
		}
	})
}

// post calls POST /spans/flush.
func post(n *Notes, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	n.Admin(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest("POST", "/spans/flush", strings.NewReader(body)))
	return w
}

// The flush says what block the spans are of.
func TestFlushGivesAttributes(t *testing.T) {
	m := &memory{}
	n := NewNotes(m)
	n.Keep(one)
	w := post(n, `{"attributes": {"switchback.arm": "legacy", "switchback.pair": 7}}`)
	if w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"made":1,"delivered":1}` {
		t.Fatal(w.Code, w.Body)
	}
	s := m.spans[0]
	if valueOf(s, "switchback.arm").GetStringValue() != "legacy" || valueOf(s, "switchback.pair").GetIntValue() != 7 {
		t.Errorf("attributes %v", s.Attributes)
	}
	n.Keep(one)
	if w := post(n, ""); w.Code != 200 || len(m.spans[1].Attributes) != 0 {
		t.Errorf("without a body: status %d, attributes %v", w.Code, m.spans[1].Attributes)
	}
}

func TestFlushRefuses(t *testing.T) {
	n := NewNotes(&memory{lose: 1})
	n.Keep(one)
	for body, want := range map[string]string{
		"[":                         "body:",
		`{"attribute": {}}`:         "unknown field",
		`{"attributes": {"a":1.5}}`: "whole number",
		`{"attributes": {"a":[]}}`:  "whole number",
		`{"attributes": {"a":"` + strings.Repeat("x", maxFlushBytes) + `"}}`: "too large",
	} {
		if w := post(n, body); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%.40s: status %d, %s; want 400 with %q", body, w.Code, w.Body, want)
		}
	}
	if w := post(n, ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"made":1,"delivered":0,"error":"lost some"`) {
		t.Errorf("status %d: %s; a refusal flushes nothing, a loss is told", w.Code, w.Body)
	}
}

// A server that knows nothing of traces gets a span for each sampled request.
func TestServer(t *testing.T) {
	m := &memory{}
	n := NewNotes(m)
	inside := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/teapot":
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusTeapot)
		case "/copy":
			_, _ = io.Copy(w, strings.NewReader("12345")) // a recorder takes everything
		case "/write":
			_, _ = w.Write([]byte("123")) // as above
		}
	})
	handler := n.Server("origin", inside)
	for _, c := range []struct {
		path          string
		status, bytes int64
		failed        bool
	}{{"/teapot", 418, 0, false}, {"/copy", 200, 5, false}, {"/write", 200, 3, false}, {"/silent", 0, 0, true}} {
		m.spans = nil
		for _, parent := range []string{otherParent, sampledParent} {
			r := httptest.NewRequest("GET", "http://h"+c.path, nil)
			r.Header.Set(headerParent, parent)
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}
		if _, err := n.Flush(context.Background(), nil); err != nil || len(m.spans) != 1 {
			t.Fatalf("%s: %d spans, %v; want that of the sampled request", c.path, len(m.spans), err)
		}
		s := m.spans[0]
		if s.Name != "origin" || s.Kind != tracepb.Span_SPAN_KIND_SERVER || string(s.ParentSpanId) != "\xb7\xad\x6b\x71\x69\x20\x33\x31" || len(s.SpanId) != 8 {
			t.Errorf("%s: span %v", c.path, s)
		}
		if got := valueOf(s, "http.response.status_code").GetIntValue(); got != c.status || valueOf(s, "http.response.body.size").GetIntValue() != c.bytes {
			t.Errorf("%s: status %d, attributes %v", c.path, got, s.Attributes)
		}
		if (s.Status != nil) != c.failed {
			t.Errorf("%s: status %v", c.path, s.Status)
		}
	}
	if (*Notes)(nil).Server("origin", inside) == nil {
		t.Error("without notes there is no server")
	}
}

// The answer of a server that is cut off is noted, and the panic goes on.
func TestServerThatPanics(t *testing.T) {
	m := &memory{}
	n := NewNotes(m)
	r := httptest.NewRequest("GET", "http://h/", nil)
	r.Header.Set(headerParent, sampledParent)
	func() {
		defer func() {
			if recovered := recover(); !errors.Is(recovered.(error), http.ErrAbortHandler) {
				t.Errorf("recovered %v", recovered)
			}
		}()
		n.Server("origin", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })).ServeHTTP(httptest.NewRecorder(), r)
	}()
	if count, err := n.Flush(context.Background(), nil); err != nil || count.Made != 1 {
		t.Error(count, err)
	}
}

func BenchmarkParentOf(b *testing.B) {
	for _, c := range []struct{ name, parent string }{{"not sampled", otherParent}, {"sampled", sampledParent}} {
		b.Run(c.name, func(b *testing.B) {
			h := http.Header{headerParent: {c.parent}}
			b.ReportAllocs()
			for b.Loop() {
				parentOf(h)
			}
		})
	}
}
