package load_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// A request whose sample has the id of a trace carries it, in place of the
// target's own header; another carries what its target has.
func TestTraceParentIsSent(t *testing.T) {
	own := targets.Target{Host: "a.example", Path: "/x", Status: 200, Bytes: -1,
		Message: targets.Message{Header: []targets.Field{{Name: "traceparent", Value: "own"}}}}
	list := []targets.Target{own, own, own}
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			var mu sync.Mutex
			var got []string
			engine := open(t, kind, func(_ http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, fmt.Sprint(r.Header["Traceparent"]))
			}, load.Options{TraceShare: 0.5})
			samples := make([]record.Sample, len(list))
			samples[0].TraceID = record.TraceID{0: 1, 15: 1}          // below the half: sampled
			samples[1].TraceID = record.TraceID{0: 2, 8: 0xff, 15: 2} // above it
			if _, err := engine.Concurrency(context.Background(), time.Now(), 1, list, samples); err != nil {
				t.Fatal(err)
			}
			mu.Lock() // the handler of the last request may still be leaving
			defer mu.Unlock()
			want := []string{"[" + parent(samples[0].TraceID, true) + "]", "[" + parent(samples[1].TraceID, false) + "]", "[own]"}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("sent %s\nwant %s", got, want)
			}
		})
	}
}

func parent(id record.TraceID, sampled bool) string {
	b := make([]byte, record.TraceParentBytes)
	id.PutParent(b, sampled)
	return string(b)
}

// Traces cost the wire engine no allocation for a request.
func TestTracedRequestsDoNotAllocate(t *testing.T) {
	const n, mostPerCall = 5000, 200
	engine := openAt(t, "wire", load.Options{Address: serveCanned(t, small).address, Connections: 4, TraceShare: 0.5})
	list, samples := make([]targets.Target, n), make([]record.Sample, n)
	for i := range list {
		list[i] = get(200)
		samples[i].TraceID = record.TraceID{0: 1, 14: byte(i >> 8), 15: byte(i)}
	}
	allocations := testing.AllocsPerRun(3, func() {
		if _, err := engine.Concurrency(context.Background(), time.Now(), 4, list, samples); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > mostPerCall {
		t.Errorf("%v allocations for %d requests, want at most %d", allocations, n, mostPerCall)
	}
}
