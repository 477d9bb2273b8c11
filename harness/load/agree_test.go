package load_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
)

// TestTheEnginesAgreeOnASlowServer compares the median service_ttfb that the
// two measure of one server at the same time, as a ratio.
func TestTheEnginesAgreeOnASlowServer(t *testing.T) {
	const n, length = 60, 300 * time.Millisecond
	slow := func(http.ResponseWriter, *http.Request) { time.Sleep(400 * time.Millisecond) }
	medians := make(chan float64, len(kinds))
	for _, kind := range kinds {
		engine := open(t, kind, slow, load.Options{})
		go func() {
			samples := make([]record.Sample, n)
			_, err := engine.Run(context.Background(), time.Now(), schedule.Poisson(n, length, 1), slices.Repeat([]targets.Target{get(200)}, n), samples)
			if err != nil {
				t.Error(err)
			}
			var service []int64
			for _, s := range samples {
				service = append(service, s.FirstByte-s.Sent)
			}
			slices.Sort(service)
			medians <- float64(service[n/2])
		}()
	}
	if a, b := <-medians, <-medians; max(a, b) > 1.03*min(a, b) {
		t.Fatalf("medians %.0f and %.0f ns differ by more than 3 %%", a, b)
	}
}
