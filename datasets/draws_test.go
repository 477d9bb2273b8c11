package datasets

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The first outputs of SplitMix64 with seed 0, as its reference
// implementation (Vigna, splitmix64.c) prints them.
func TestDrawsAreThoseOfSplitMix64(t *testing.T) {
	var d Draws
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		if got := d.Uint64(); got != want {
			t.Errorf("draw %d: %#x, want %#x", i, got, want)
		}
	}
}

func TestStreamsOfASeedDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for name, d := range map[string]Draws{
		"seed 1": NewDraws(1), "seed 2": NewDraws(2), "1, stream 0": NewDraws(1, 0), "1, stream 1": NewDraws(1, 1),
		"1, streams 0 1": NewDraws(1, 0, 1), "1, streams 1 0": NewDraws(1, 1, 0),
	} {
		first := d.Uint64()
		if other, taken := seen[first]; taken {
			t.Errorf("%s and %s both begin with %#x", name, other, first)
		}
		seen[first] = name
	}
}

func TestBelowStaysBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := NewDraws(rapid.Uint64().Draw(t, "seed"))
		n := rapid.Uint64Min(1).Draw(t, "n")
		for range 20 {
			if got := d.Below(n); got >= n {
				t.Fatalf("Below(%d) = %d", n, got)
			}
		}
	})
}

// With 70,000 draws of 7 values the chi-square statistic has 6 degrees of
// freedom: above 22.5 once in 1,000 seeds. The seed is fixed.
func TestBelowIsEven(t *testing.T) {
	d := NewDraws(1)
	var counts [7]float64
	for range 70_000 {
		counts[d.Below(7)]++
	}
	chi := 0.0
	for _, n := range counts {
		chi += (n - 10_000) * (n - 10_000) / 10_000
	}
	if chi > 22.5 {
		t.Errorf("chi-square %.1f, counts %v", chi, counts)
	}
}

// A random function of 2¹⁹ arguments would repeat about 32 values.
func TestShuffled32DoesNotRepeat(t *testing.T) {
	for _, key := range []uint64{0, 1, 0xdeadbeefcafef00d} {
		drawn := make([]uint32, 1<<19)
		for i := range drawn {
			drawn[i] = shuffled32(key, uint32(i))
		}
		slices.Sort(drawn)
		if n := len(slices.Compact(drawn)); n != 1<<19 {
			t.Errorf("key %#x: %d of %d values differ", key, n, 1<<19)
		}
	}
}
