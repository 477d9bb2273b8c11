package load_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
)

// TestAStallIsSeenByEveryRequestThatWasDueInIt is the test of coordinated
// omission: a server that answers nothing for a sixth of the load. A generator
// that waits with it would send, and count, a single slow request for each
// connection. The stall is of the schedule, not of the clock: it begins with
// the request due at 2/6 and ends when the one due at 3/6 is due, whatever the
// machine does in between, so what is asserted does not depend on its speed.
func TestAStallIsSeenByEveryRequestThatWasDueInIt(t *testing.T) {
	const n, length = 1200, 1200 * time.Millisecond
	const stall = length / 6
	due := schedule.Constant(n, length)
	for _, kind := range kinds {
		for _, connections := range []int{1, 8, 512} {
			t.Run(fmt.Sprintf("%s with %d connections", kind, connections), func(t *testing.T) {
				start := time.Now().Add(20 * time.Millisecond)
				ended := make(chan struct{})
				var once sync.Once
				stalling := func(http.ResponseWriter, *http.Request) {
					if time.Since(start) < 2*stall {
						return
					}
					once.Do(func() { time.AfterFunc(time.Until(start.Add(3*stall)), func() { close(ended) }) })
					<-ended
				}
				engine := open(t, kind, stalling, load.Options{Connections: connections})
				list, samples := slices.Repeat([]targets.Target{get(200)}, n), make([]record.Sample, n)
				if _, err := engine.Run(context.Background(), start, due, list, samples); err != nil {
					t.Fatal(err)
				}
				assertStall(t, samples, stall)
			})
		}
	}
}

// assertStall checks the histogram of ttfb: the requests due during the stall
// waited for its end, the later ones shorter; 1/6 of all, so that the longest
// is about the stall, p95 70 % of it and p90 40 %.
func assertStall(t *testing.T, samples []record.Sample, stall time.Duration) {
	t.Helper()
	ttfb := record.NewHistogram()
	for i, s := range samples {
		if s.Error != record.OK {
			t.Fatalf("sample %d: %v", i, s.Error)
		}
		ttfb.Record(s.FirstByte - s.Due)
	}
	quantile := map[string]float64{}
	for _, st := range record.Statistics() {
		quantile[st.Name] = st.Of(ttfb) / stall.Seconds()
	}
	if quantile["p90"] < 0.35 || quantile["p95"] < 0.65 || quantile["max"] < 0.95 {
		t.Fatalf("ttfb in stalls: p90 %.2f, p95 %.2f, max %.2f; want at least 0.35, 0.65, 0.95",
			quantile["p90"], quantile["p95"], quantile["max"])
	}
}
