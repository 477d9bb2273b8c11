package page

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawScale draws a scale that holds some values.
func drawScale(t *rapid.T) (scale, []float64) {
	values := rapid.SliceOfN(rapid.Float64Range(1e-9, 1e9), 1, 20).Draw(t, "values")
	s, ok := newScale(rapid.Bool().Draw(t, "log"), values)
	if !ok {
		t.Fatal("no scale")
	}
	return s, values
}

func TestScaleKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, values := drawScale(t)
		slices.Sort(values)
		last := 0.0
		for _, v := range values {
			at := s.at(v)
			if !(at >= last && at <= 1) {
				t.Fatalf("%v lies at %v, after %v", v, at, last)
			}
			last = at
		}
	})
}

func TestTicksAreFewAndWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := drawScale(t)
		n := rapid.IntRange(3, 8).Draw(t, "n")
		ticks := s.ticks(n)
		if len(ticks) > 3*n || !slices.IsSorted(ticks) {
			t.Fatalf("%d wanted, got %v", n, ticks)
		}
		for _, v := range ticks {
			if v < s.min-1e-9*math.Abs(s.min) || v > s.max+1e-9*math.Abs(s.max) {
				t.Fatalf("%v lies outside %+v", v, s)
			}
		}
	})
}

func TestScaleOfNothing(t *testing.T) {
	for name, c := range map[string]struct {
		log    bool
		values []float64
	}{
		"empty":           {false, nil},
		"not numbers":     {false, []float64{math.NaN(), math.Inf(1)}},
		"zeros on a log":  {true, []float64{0, -1}},
		"nothing to plot": {true, []float64{math.NaN()}},
	} {
		if s, ok := newScale(c.log, c.values); ok {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestTicksOfBytesArePowersOfTwo(t *testing.T) {
	s := scale{max: 220 << 20, binary: true}
	if got := s.ticks(5); !slices.Equal(got, []float64{0, 64 << 20, 128 << 20, 192 << 20}) {
		t.Errorf("ticks %v", got)
	}
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		v          float64
		unit, want string
	}{
		{0.001, "s", "1 ms"}, {0.0025, "s", "2.5 ms"}, {0, "s", "0 s"}, {64 << 20, "bytes", "64 MiB"}, {0.5, "ratio", "50 %"},
		{100, percentile, "99 %"}, {1e4, percentile, "99.99 %"}, {1, percentile, "0 %"},
		{40, elapsed, "40 s"}, {125, elapsed, "2:05 min"}, {1e6, plain, "1,000,000"}, {0.5, plain, "0.5"}, {10, plain, "10"},
	} {
		if got := tickLabel(c.v, c.unit); got != c.want {
			t.Errorf("tickLabel(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestEffectLabels(t *testing.T) {
	for v, want := range map[float64]string{1: "same", 0.01: "÷100", 10: "×10", 1.1: "+10 %", 0.9: "-10 %", 2: "×2"} {
		if got := effectLabel(v); got != want {
			t.Errorf("effectLabel(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestNumbersAreJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOf(rapid.OneOf(rapid.Float64Range(-1e300, 1e300), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0}))).Draw(t, "numbers")
		data, err := json.Marshal(numbers(in))
		if err != nil {
			t.Fatal(err)
		}
		var out []*float64
		if err := json.Unmarshal(data, &out); err != nil || len(out) != len(in) {
			t.Fatalf("%s: %v", data, err)
		}
		for i, v := range in {
			known := !math.IsNaN(v) && !math.IsInf(v, 0)
			if known != (out[i] != nil) || known && math.Abs(*out[i]-v) > 1e-4*math.Abs(v) {
				t.Fatalf("%v was written as %s", v, data)
			}
		}
	})
}

func TestPathBreaksAtGaps(t *testing.T) {
	l := line{X: []float64{0, 1, 2, 3, 4}, Y: []float64{0, 1, math.NaN(), 1, math.NaN()}}
	unit := scale{max: 4}
	if got, want := l.path(unit, scale{max: 1}), "M0 1000L1000 0M3000 0h0"; got != want {
		t.Errorf("path %q, want %q", got, want)
	}
	l.Dots = true
	if got := strings.Count(l.path(unit, scale{max: 1}), "h0"); got != 3 {
		t.Errorf("%d dots, want 3", got)
	}
}
