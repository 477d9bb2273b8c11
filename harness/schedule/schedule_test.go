package schedule_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"switchback/harness/schedule"
)

// drawBlock draws a number of requests and a length.
func drawBlock(t *rapid.T) (int, time.Duration) {
	return rapid.IntRange(0, 500).Draw(t, "n"), time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "length"))
}

func TestPoissonGivenItsCountIsSortedWithinTheLengthAndOfItsSeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, length := drawBlock(t)
		seed := rapid.Uint64().Draw(t, "seed")
		due := schedule.Poisson(n, length, seed)
		if len(due) != n || !slices.IsSorted(due) {
			t.Fatalf("%d instants, sorted %v; want %d", len(due), slices.IsSorted(due), n)
		}
		if n > 0 && (due[0] < 0 || due[n-1] >= length) {
			t.Fatalf("instants %v … %v outside [0, %v)", due[0], due[n-1], length)
		}
		if !slices.Equal(due, schedule.Poisson(n, length, seed)) {
			t.Fatal("one seed, two schedules")
		}
	})
}

func TestConstantIsAnArithmeticProgression(t *testing.T) {
	got := schedule.Constant(4, time.Second)
	want := []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, 750 * time.Millisecond}
	if !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}
