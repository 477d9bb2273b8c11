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
// two measure of one server at the same time, as a ratio. A busy machine may
// disturb a run, a difference between the engines disturbs every one: it is
// enough that one of five agrees to within 3 %.
func TestTheEnginesAgreeOnASlowServer(t *testing.T) {
	slow := func(http.ResponseWriter, *http.Request) { time.Sleep(100 * time.Millisecond) }
	ratio := 0.0
	for range 5 {
		medians := make(chan float64, len(kinds))
		for _, kind := range kinds {
			engine := open(t, kind, slow, load.Options{})
			go func() { medians <- serviceMedian(t, engine) }()
		}
		a, b := <-medians, <-medians
		if ratio = max(a, b) / min(a, b); ratio <= 1.03 {
			return
		}
	}
	t.Fatalf("the medians differ by a factor of %.3f, want at most 1.03", ratio)
}

func serviceMedian(t *testing.T, engine load.Engine) float64 {
	const n = 60
	samples := make([]record.Sample, n)
	due := schedule.Poisson(n, 300*time.Millisecond, 1)
	if _, err := engine.Run(context.Background(), time.Now(), due, slices.Repeat([]targets.Target{get(200)}, n), samples); err != nil {
		t.Error(err)
	}
	service := make([]int64, n)
	for i, s := range samples {
		service[i] = s.FirstByte - s.Sent
	}
	slices.Sort(service)
	return float64(service[n/2])
}
