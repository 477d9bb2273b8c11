package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestGrowthOfAPowerLaw(t *testing.T) {
	x := []float64{1, 10, 100, 1000}
	y := []float64{3, 30, 300, 3000}
	got, err := Growth(x, y, 0.95)
	if err != nil || math.Abs(got.Value-1) > 1e-12 || got.High-got.Low > 1e-9 || got.N != 4 {
		t.Errorf("Growth = %+v, %v; want exponent 1 without scatter", got, err)
	}
	flat, err := Growth(x, []float64{5, 5, 5, 5}, 0.95)
	if err != nil || math.Abs(flat.Value) > 1e-12 {
		t.Errorf("Growth of a constant = %+v, %v; want 0", flat, err)
	}
}

// TestGrowthCoverage draws values with log-normal scatter about x^0.7: the 95 %
// interval must hold the truth in 95 % of draws, within five standard errors.
func TestGrowthCoverage(t *testing.T) {
	const draws, truth = 4000, 0.7
	rng := rand.New(rand.NewPCG(1, 2))
	held := 0
	for range draws {
		var x, y []float64
		for _, at := range []float64{10, 100, 1000, 10000} {
			for range 3 {
				x, y = append(x, at), append(y, math.Pow(at, truth)*math.Exp(0.3*rng.NormFloat64()))
			}
		}
		got, err := Growth(x, y, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if got.Low <= truth && truth <= got.High {
			held++
		}
	}
	share, slack := float64(held)/draws, 5*math.Sqrt(0.95*0.05/draws)
	if math.Abs(share-0.95) > slack {
		t.Errorf("the interval holds the truth in %.3f of draws; want 0.95 ± %.3f (seed 1, 2)", share, slack)
	}
}

func TestGrowthNeedsTwoPlaces(t *testing.T) {
	for _, x := range [][]float64{nil, {1, 2}, {3, 3, 3, 3}} {
		if _, err := Growth(x, make([]float64, len(x)), 0.95); !errors.Is(err, ErrNoSlope) {
			t.Errorf("Growth at %v: error %v; want ErrNoSlope", x, err)
		}
	}
}
