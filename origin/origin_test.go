package origin

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

func TestOptionsOutOfRange(t *testing.T) {
	for _, options := range []Options{{Errors: -0.1}, {Errors: 1.1}, {Concurrency: -1}} {
		if o, err := New(options); err == nil {
			o.Close()
			t.Errorf("%+v was taken", options)
		}
	}
}

// The share of faults is within 5 standard errors of the asked one, and the
// same seed draws the same faults.
func TestFaultsFollowTheirShare(t *testing.T) {
	const n, share = 4000, 0.05
	run := func(seed uint64) (faults []int) {
		o := start(t, Options{Errors: share, Seed: seed})
		for i := range n {
			if get(o, "GET", "/a/x/1", nil).Code == 503 {
				faults = append(faults, i)
			}
		}
		return faults
	}
	first := run(3)
	if bound := 5 * math.Sqrt(n*share*(1-share)); math.Abs(float64(len(first))-n*share) > bound {
		t.Errorf("%d faults of %d, want %g ± %g", len(first), n, n*share, bound)
	}
	if again := run(3); fmt.Sprint(again) != fmt.Sprint(first) {
		t.Error("the same seed drew other faults")
	}
	if other := run(4); fmt.Sprint(other) == fmt.Sprint(first) {
		t.Error("another seed drew the same faults")
	}
}

func TestConcurrencyIsNeverExceeded(t *testing.T) {
	const limit, requests = 3, 40
	o := start(t, Options{Delay: Delay{Median: 200 * time.Microsecond}, Concurrency: limit})
	var group sync.WaitGroup
	done := make(chan struct{})
	most := make(chan int)
	go func() {
		high := 0
		for {
			select {
			case <-done:
				most <- high
				return
			default:
				high = max(high, len(o.slots))
			}
		}
	}()
	for range requests {
		group.Go(func() {
			if w := get(o, "GET", "/a/x/5", nil); w.Code != 200 {
				t.Errorf("status %d", w.Code)
			}
		})
	}
	group.Wait()
	close(done)
	if high := <-most; high > limit || high == 0 {
		t.Errorf("%d places taken at once, want 1 to %d", high, limit)
	}
	if got := o.Stats().Requests; got != requests {
		t.Errorf("%d requests counted, want %d", got, requests)
	}
}

func TestWhoGivesUpWaitingIsStillCounted(t *testing.T) {
	o := start(t, Options{Concurrency: 1})
	o.slots <- struct{}{} // somebody else is served
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/a/x/1", nil).WithContext(ctx))
	if s := o.Stats(); s.Requests != 1 || s.InFlight != 0 || len(s.Status) != 0 {
		t.Errorf("stats %+v, want one request without an answer", s)
	}
}

func TestStatsByName(t *testing.T) {
	o := start(t, Options{})
	for i := range 10 {
		get(o, "GET", "/a/x/5", map[string]string{"X-Switchback-Node": fmt.Sprintf("n%d", i%2), "X-Switchback-Router": "hashed", "X-Switchback-Colo": "ams"})
	}
	get(o, "GET", "/nothing", nil)
	w := httptest.NewRecorder()
	o.AdminHandler().ServeHTTP(w, httptest.NewRequest("GET", "/stats", nil))
	var s Stats
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	if s.Schema != "switchback.origin-stats/1" || s.Requests != 11 || s.Status["200"] != 10 || s.Status["404"] != 1 {
		t.Errorf("stats %+v", s)
	}
	if s.Node["n1"] != (Count{Requests: 5, Bytes: 25}) || s.Router["hashed"].Requests != 10 || len(s.Ring) != 0 || s.Hostname["example.com"].Requests != 11 {
		t.Errorf("by name: nodes %v, routers %v, rings %v, hosts %v", s.Node, s.Router, s.Ring, s.Hostname)
	}
}

func TestHostnamesAreBounded(t *testing.T) {
	names := newTable(3)
	for i := range 100 {
		names.of(fmt.Sprint("h", i)).requests.Add(1)
	}
	got := names.counts()
	if len(got) != 4 || got[otherName].Requests != 97 || got["h0"].Requests != 1 {
		t.Errorf("counted %v", got)
	}
}

func BenchmarkServe(b *testing.B) {
	o, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer o.Close()
	r := httptest.NewRequest("GET", "/a/00112233445566778899aabbccddeeff/1024", nil)
	b.ReportAllocs()
	for b.Loop() {
		o.ServeHTTP(httptest.NewRecorder(), r)
	}
}
