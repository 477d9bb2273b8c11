package blocks

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The plan of a seed is part of what a run can be repeated from: these
// numbers may never change. They were computed by a second implementation, in
// Python, from the descriptions in stream.go.
func TestPlanOfASeedIsFixed(t *testing.T) {
	got := Plan(7, 3, 4, 2)
	want := []Round{
		{Pair: 0, Launch: 0, Order: []int{2, 0, 1}, Start: []int{1, 2, 0}},
		{Pair: 1, Launch: 0, Order: []int{0, 1, 2}},
		{Pair: 2, Launch: 1, Order: []int{0, 1, 2}, Start: []int{0, 2, 1}},
		{Pair: 3, Launch: 1, Order: []int{0, 1, 2}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestEachArmOnceARound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arms := rapid.IntRange(1, 9).Draw(t, "arms")
		pairs := rapid.IntRange(1, 50).Draw(t, "pairs")
		every := rapid.IntRange(0, 60).Draw(t, "launchEvery")
		all := make([]int, arms)
		for i := range all {
			all[i] = i
		}
		rounds := Plan(rapid.Uint64().Draw(t, "seed"), arms, pairs, every)
		starts := 0
		for i, r := range rounds {
			if r.Pair != i || !reflect.DeepEqual(slices.Sorted(slices.Values(r.Order)), all) {
				t.Fatalf("round %d: %+v", i, r)
			}
			if r.Start != nil {
				starts++
				if !reflect.DeepEqual(slices.Sorted(slices.Values(r.Start)), all) {
					t.Fatalf("round %d starts %v", i, r.Start)
				}
			}
			if r.Launch != starts-1 {
				t.Fatalf("round %d is in launch %d after %d starts", i, r.Launch, starts)
			}
		}
		if len(rounds) != pairs || starts != Launches(pairs, every) {
			t.Fatalf("%d rounds and %d starts, want %d and %d", len(rounds), starts, pairs, Launches(pairs, every))
		}
	})
}

func TestALongerPlanBeginsWithTheShorter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, arms := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 5).Draw(t, "arms")
		pairs, every := rapid.IntRange(1, 30).Draw(t, "pairs"), rapid.IntRange(0, 5).Draw(t, "launchEvery")
		if short, long := Plan(seed, arms, pairs, every), Plan(seed, arms, pairs+7, every); !reflect.DeepEqual(short, long[:pairs]) {
			t.Fatalf("%v is not the start of %v", short, long)
		}
	})
}

func TestLaunchesLeaveTheOrderAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		often, once := Plan(seed, 3, 20, 1), Plan(seed, 3, 20, 0)
		for i := range often {
			if !slices.Equal(often[i].Order, once[i].Order) {
				t.Fatalf("round %d: %v and %v", i, often[i].Order, once[i].Order)
			}
		}
	})
}

func TestNoArmsNoPlan(t *testing.T) {
	if got := Plan(1, 0, 5, 1); got != nil {
		t.Errorf("got %v", got)
	}
	if got := Plan(1, 2, 0, 1); got != nil {
		t.Errorf("got %v", got)
	}
}

// Coins are fair and independent of each other, of their neighbours in time
// and of neighbouring seeds. The bound is 5 standard deviations of a fair
// coin's count; the seeds are fixed, so the test has one outcome.
func TestCoinsAreFair(t *testing.T) {
	const seeds, pairs = 400, 100
	heads, sameAsLast, sameAsSeedBefore, orderIsStart := 0, 0, 0, 0
	var before []Round
	for seed := range uint64(seeds) {
		plan := Plan(seed, 2, pairs, 1)
		for i, r := range plan {
			heads += r.Order[0]
			if i > 0 && r.Order[0] == plan[i-1].Order[0] {
				sameAsLast++
			}
			if before != nil && r.Order[0] == before[i].Order[0] {
				sameAsSeedBefore++
			}
			if r.Order[0] == r.Start[0] {
				orderIsStart++
			}
		}
		before = plan
	}
	for _, c := range []struct {
		what  string
		k, of int
	}{
		{"heads", heads, seeds * pairs},
		{"same as the round before", sameAsLast, seeds * (pairs - 1)},
		{"same as the seed before", sameAsSeedBefore, (seeds - 1) * pairs},
		{"first started is first measured", orderIsStart, seeds * pairs},
	} {
		n := float64(c.of)
		if off := math.Abs(float64(c.k)-n/2) / math.Sqrt(n/4); off > 5 {
			t.Errorf("%s: %d of %d is %.1f standard deviations from half", c.what, c.k, c.of, off)
		}
	}
}

func TestPermutationsAreEquallyLikely(t *testing.T) {
	const n = 60_000
	counts := map[[4]int]int{}
	for _, r := range Plan(1, 4, n, 0) {
		counts[[4]int(r.Order)]++
	}
	if len(counts) != 24 {
		t.Fatalf("%d of 24 orders", len(counts))
	}
	chi := 0.0
	for _, k := range counts {
		d := float64(k) - n/24.0
		chi += d * d / (n / 24.0)
	}
	if chi > 65 { // 23 degrees of freedom: p < 0.00001
		t.Errorf("chi-squared %.1f", chi)
	}
}
