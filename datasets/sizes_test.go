package datasets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestSpreadIsTheLogNormalLaw(t *testing.T) {
	law := distuv.LogNormal{Mu: 0, Sigma: 1}
	for k := range uint64(33) {
		p := min(max(float64(k)/32, 0.002), 0.998)
		if want := math.Round(1024 * law.Quantile(p)); float64(spread(k)) != want {
			t.Errorf("spread(%d) = %d, want %.0f", k, spread(k), want)
		}
	}
}

func TestAssetSizesFollowTheirMedian(t *testing.T) {
	draws := NewDraws(1)
	sizes := make([]int64, 20_001)
	for i := range sizes {
		sizes[i] = assetBytes(&draws, 20_480)
	}
	slices.Sort(sizes)
	for _, c := range []struct{ quantile, low, high float64 }{{0.25, 0.49, 0.53}, {0.5, 0.97, 1.03}, {0.75, 1.90, 2.02}, {0.95, 4.9, 5.6}} {
		got := float64(sizes[int(c.quantile*20_000)]) / 20_480
		if got < c.low || got > c.high {
			t.Errorf("quantile %v is %.3f medians, want %v to %v", c.quantile, got, c.low, c.high)
		}
	}
}

// A share of (1/n − 1/100)/(1 − 1/100) of the tail has n or more deployments.
func TestTailSizesAreParetoBelow100(t *testing.T) {
	draws := NewDraws(1)
	const projects = 50_000
	var atLeast [101]int
	for range projects {
		n := tailSize(&draws)
		if n < 1 || n > 99 {
			t.Fatalf("a project of the tail has %d deployments", n)
		}
		for k := 1; k <= n; k++ {
			atLeast[k]++
		}
	}
	for _, n := range []int{2, 5, 10, 50} {
		want := (1/float64(n) - 0.01) / 0.99
		got := float64(atLeast[n]) / projects
		if deviation := math.Sqrt(want * (1 - want) / projects); math.Abs(got-want) > 4*deviation {
			t.Errorf("a share of %.4f has %d or more, want %.4f", got, n, want)
		}
	}
}
