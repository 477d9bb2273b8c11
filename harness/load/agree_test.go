package load_test

import (
	"context"
	"math"
	"net/http"
	"slices"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
)

// The agreement of the engines is measured as arms are: in short blocks that
// alternate, on servers that take agreeService for an answer.
const (
	agreeRounds  = 7
	agreeBlock   = 11 // requests
	agreeService = 50 * time.Millisecond
)

// TestTheEnginesAgreeOnASlowServer compares the block medians of service_ttfb as
// a ratio: the engines may differ by 3 %. A busy machine only ever adds to a
// block, a difference between the engines adds to every one, so the least of
// an engine's block medians is compared. A third arm, a server that takes 1.06 ×
// as long, shows that the comparison finds a difference of twice the tolerance.
func TestTheEnginesAgreeOnASlowServer(t *testing.T) {
	handler := func(service time.Duration) http.HandlerFunc {
		return func(http.ResponseWriter, *http.Request) { time.Sleep(service) }
	}
	arms := []load.Engine{
		open(t, "vegeta", handler(agreeService), load.Options{}),
		open(t, "wire", handler(agreeService), load.Options{}),
		open(t, "wire", handler(agreeService*106/100), load.Options{}),
	}
	least := slices.Repeat([]float64{math.Inf(1)}, len(arms))
	for round := range agreeRounds {
		for i := range arms {
			i = (i + round) % len(arms)
			least[i] = min(least[i], serviceMedian(t, arms[i]))
		}
	}
	if ratio := least[0] / least[1]; math.Abs(ratio-1) > 0.03 {
		t.Errorf("vegeta measures %.3f × what wire does, want within 3 %%", ratio)
	}
	if ratio := least[2] / least[1]; ratio < 1.03 {
		t.Errorf("a server that takes 1.06 × as long is measured at %.3f ×", ratio)
	}
}

// serviceMedian sends one block and returns its median service_ttfb.
func serviceMedian(t *testing.T, engine load.Engine) float64 {
	t.Helper()
	samples := make([]record.Sample, agreeBlock)
	due := schedule.Constant(agreeBlock, agreeService)
	list := slices.Repeat([]targets.Target{get(200)}, agreeBlock)
	if _, err := engine.Run(context.Background(), time.Now(), due, list, samples); err != nil {
		t.Fatal(err)
	}
	service := make([]float64, agreeBlock)
	for i, s := range samples {
		service[i] = float64(s.FirstByte - s.Sent)
	}
	slices.Sort(service)
	return service[agreeBlock/2]
}
