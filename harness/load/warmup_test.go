package load_test

import (
	"slices"
	"testing"

	"switchback/harness/load"
)

// TestSettledCallsOneInTenTrendless walks all orders of eight values: the
// share that looks like a trend is the rule's documented probability.
func TestSettledCallsOneInTenTrendless(t *testing.T) {
	trends, all := 0, 0
	var walk func(chosen, left []float64)
	walk = func(chosen, left []float64) {
		if len(left) == 0 {
			all++
			if !load.Settled(chosen) {
				trends++
			}
		}
		for i, v := range left {
			walk(append(slices.Clip(chosen), v), slices.Delete(slices.Clone(left), i, i+1))
		}
	}
	walk(nil, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	if share := float64(trends) / float64(all); all != 40320 || share < 0.107 || share > 0.109 {
		t.Fatalf("%d of %d orders are trends (%.4f), want 0.108", trends, all, share)
	}
}

func TestSettledLooksAtTheLastEightAlone(t *testing.T) {
	warming := []float64{90, 80, 70, 60, 50, 40, 30, 20}
	if load.Settled(warming) {
		t.Error("a falling series is settled")
	}
	if load.Settled(warming[:7]) || load.Settled([]float64{1, 1, 1}) {
		t.Error("fewer than eight blocks are settled")
	}
	if !load.Settled(append(warming, 20, 21, 20, 19, 20, 21, 19, 20)) {
		t.Error("a series that has become level is not settled")
	}
}
