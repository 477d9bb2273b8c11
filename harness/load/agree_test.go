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
// alternate, on one server that takes agreeService for each answer, so that
// what else the machine does falls on both.
const (
	agreePairs   = 11
	agreeBlock   = 25 // requests
	agreeService = 20 * time.Millisecond
)

// TestTheEnginesAgreeOnASlowServer compares the medians of the block medians of
// service_ttfb as a ratio: the engines may differ by 3 %. A second handler, slower
// by twice that, shows that the comparison would find a difference.
func TestTheEnginesAgreeOnASlowServer(t *testing.T) {
	handler := func(service time.Duration) http.HandlerFunc {
		return func(http.ResponseWriter, *http.Request) { time.Sleep(service) }
	}
	vegeta := open(t, "vegeta", handler(agreeService), load.Options{})
	wire := open(t, "wire", handler(agreeService), load.Options{})
	slower := open(t, "wire", handler(agreeService*106/100), load.Options{})
	blocks := map[load.Engine][]float64{}
	for pair := range agreePairs {
		order := []load.Engine{vegeta, wire, slower}
		if pair%2 == 1 {
			slices.Reverse(order)
		}
		for _, engine := range order {
			blocks[engine] = append(blocks[engine], serviceMedian(t, engine))
		}
	}
	if ratio := middle(blocks[vegeta]) / middle(blocks[wire]); math.Abs(ratio-1) > 0.03 {
		t.Errorf("vegeta measures %.3f × what wire does, want within 3 %%", ratio)
	}
	if ratio := middle(blocks[slower]) / middle(blocks[wire]); ratio < 1.03 {
		t.Errorf("a server that takes 1.06 × as long is measured at %.3f ×", ratio)
	}
}

// serviceMedian sends one block and returns its median service_ttfb.
func serviceMedian(t *testing.T, engine load.Engine) float64 {
	t.Helper()
	samples := make([]record.Sample, agreeBlock)
	due := schedule.Constant(agreeBlock, 2*agreeService)
	list := slices.Repeat([]targets.Target{get(200)}, agreeBlock)
	if _, err := engine.Run(context.Background(), time.Now(), due, list, samples); err != nil {
		t.Fatal(err)
	}
	service := make([]float64, agreeBlock)
	for i, s := range samples {
		service[i] = float64(s.FirstByte - s.Sent)
	}
	return middle(service)
}

// middle returns the median of an odd number of values.
func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
