package targets

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestZipfWeightsArePowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		millionths := rapid.Uint64Range(1000, 4*million).Draw(t, "exponent")
		rank := rapid.Uint64Range(1, 1<<26).Draw(t, "rank")
		want := math.Ldexp(math.Pow(float64(rank), -float64(millionths)/million), weightBits)
		if got := float64(newZipf(millionths).weight(rank)); math.Abs(got-want) > 1+want*1e-9 {
			t.Errorf("weight of rank %d with exponent %d millionths: %.0f, want %.1f", rank, millionths, got, want)
		}
	})
}

func TestZipfWeightsNeverRise(t *testing.T) {
	z := newZipf(900_000)
	last := z.weight(1)
	if last != 1<<weightBits {
		t.Errorf("weight of the first: %d, want %d", last, uint64(1)<<weightBits)
	}
	for rank := uint64(2); rank < 20_000; rank++ {
		w := z.weight(rank)
		if w > last || w == 0 {
			t.Fatalf("weight of rank %d: %d after %d", rank, w, last)
		}
		last = w
	}
}
