package load_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

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

func TestParseWarmup(t *testing.T) {
	for text, want := range map[string]load.Warmup{
		"": {}, "0s": {}, "2s": {Length: 2 * time.Second}, "1h": {Length: time.Hour}, "settled": {Settled: true},
	} {
		if got, err := load.ParseWarmup(text); got != want || err != nil {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"2", "-1s", "61m", "auto", "settled "} {
		if got, err := load.ParseWarmup(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

// warmUp runs a warm-up whose windows have the medians given, the last one for
// ever, and returns the windows that were sent.
func warmUp(t *testing.T, w load.Warmup, rate float64, median func(n int) float64) (windows []time.Duration, settled bool) {
	t.Helper()
	settled, err := w.Run(context.Background(), rate, func(_ context.Context, window time.Duration) (float64, error) {
		windows = append(windows, window)
		return median(len(windows)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return windows, settled
}

func TestAWarmUpEndsWhenItsMediansSettle(t *testing.T) {
	falling := func(n int) float64 { return -float64(n) }
	level := func(n int) float64 { return float64(max(0, 10-n)) }
	for name, c := range map[string]struct {
		w       load.Warmup
		rate    float64
		median  func(int) float64
		windows int
		each    time.Duration
		settled bool
	}{
		"none":          {load.Warmup{}, 100, falling, 0, 0, true},
		"by time":       {load.Warmup{Length: 3 * time.Second}, 100, falling, 1, 3 * time.Second, true},
		"level at once": {load.Warmup{Settled: true}, 1000, func(int) float64 { return 1 }, 8, 250 * time.Millisecond, true},
		// Of the last eight, the first three fall to the level that the others have: S = −(7 + 6 + 5) is a trend, −(7 + 6) is none.
		"level after ten": {load.Warmup{Settled: true}, 0, level, 15, 250 * time.Millisecond, true},
		"never":           {load.Warmup{Settled: true}, 1000, falling, 240, 250 * time.Millisecond, false},
		"few requests":    {load.Warmup{Settled: true}, 10, falling, 30, 2 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			windows, settled := warmUp(t, c.w, c.rate, c.median)
			if len(windows) != c.windows || settled != c.settled || c.windows > 0 && windows[0] != c.each {
				t.Errorf("%d windows of %v, settled %v; want %d of %v, %v", len(windows), windows[:min(1, len(windows))], settled, c.windows, c.each, c.settled)
			}
		})
	}
}

func TestAWarmUpThatFailsEnds(t *testing.T) {
	stop := errors.New("stopped")
	for _, w := range []load.Warmup{{Length: time.Second}, {Settled: true}} {
		calls := 0
		_, err := w.Run(context.Background(), 100, func(context.Context, time.Duration) (float64, error) { calls++; return 0, stop })
		if !errors.Is(err, stop) || calls != 1 {
			t.Errorf("%+v: error %v after %d windows", w, err, calls)
		}
	}
}
