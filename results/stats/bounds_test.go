package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// depression is the example of R's help page of wilcox.test (Hollander and
// Wolfe, 1973, p. 29): Hamilton depression scores at two visits.
func depression() []float64 {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	return d
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestSignedRankMatchesR(t *testing.T) {
	d := depression()
	got := SignedRankTest(d, 0)
	near(t, "V", got.W, 40, 0)
	near(t, "one-sided p", got.Greater, 0.01953125, 1e-12)
	near(t, "two-sided p", got.TwoSided, 0.0390625, 1e-12)
	near(t, "estimate", HodgesLehmann(d), 0.46, 1e-9)
	low, high := NewShift(d).Interval(0.95)
	near(t, "low", low, 0.010, 1e-9)
	near(t, "high", high, 0.786, 1e-9)
}

// With n values the least p is 2⁻ⁿ, so four values bound nothing at 5 %.
func TestTooFewValuesBoundNothing(t *testing.T) {
	d := []float64{1, 2, 3, 4.5}
	if got := NewShift(d).Lower(0.05, 0); !math.IsInf(got, -1) {
		t.Errorf("lower bound of 4 values = %v, want -Inf", got)
	}
	if got := NewShift(append(d, 7)).Lower(0.05, 0); got != 1 {
		t.Errorf("lower bound of 5 values = %v, want the smallest, 1", got)
	}
	if got := NewShift(nil).Lower(0.05, 0); !math.IsInf(got, -1) {
		t.Errorf("lower bound of nothing = %v, want -Inf", got)
	}
}

// bruteP counts all 2ⁿ sign patterns: the definition of the exact test.
func bruteP(s Scores) float64 {
	n, extreme := s.Len(), 0
	for pattern := range 1 << n {
		sum := 0
		for i, size := range s.size {
			if pattern>>i&1 == 1 {
				sum += size
			}
		}
		if sum >= s.Sum() {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<n)
}

// coarse draws values on a grid, so that ties and zeros are common.
func coarse(least, most int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(-8, 8), func(k int) float64 { return float64(k) / 4 }), least, most)
}

func fine(least, most int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.Float64Range(-3, 3), least, most)
}

func TestExactAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.OneOf(coarse(0, 11), fine(0, 11)).Draw(t, "d")
		margin := float64(rapid.IntRange(-4, 4).Draw(t, "margin")) / 4
		counts := rapid.SliceOfN(rapid.IntRange(-5, 5), 0, 11).Draw(t, "counts")
		for name, s := range map[string]Scores{"rank": RankScores(d, margin, nil), "count": CountScores(counts, nil)} {
			if got, want := s.P(), bruteP(s); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s: p = %v, by enumeration %v", name, got, want)
			}
		}
	})
}

func TestBoundAndPAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.OneOf(coarse(1, 24), fine(1, 24)).Draw(t, "d")
		margin := rapid.OneOf(
			rapid.Map(rapid.IntRange(-16, 16), func(k int) float64 { return float64(k) / 8 }),
			rapid.Float64Range(-3, 3)).Draw(t, "margin")
		alpha := rapid.SampledFrom([]float64{0.05, 0.01, 0.025, 0.2}).Draw(t, "alpha")
		test := SignedRankTest(d, margin)
		if lower := NewShift(d).Lower(alpha, margin); (lower > margin) != (test.Greater <= alpha) {
			t.Fatalf("lower bound %v of margin %v, but p = %v at alpha %v", lower, margin, test.Greater, alpha)
		}
		if upper := NewShift(d).Upper(alpha, margin); (upper < margin) != (test.Less <= alpha) {
			t.Fatalf("upper bound %v of margin %v, but p = %v at alpha %v", upper, margin, test.Less, alpha)
		}
	})
}

// Search and Tukey's rule are two ways to the same bound where both apply.
func TestSearchEqualsTukeyWithoutTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfNDistinct(rapid.Map(rapid.IntRange(-1<<30, 1<<30), func(k int) float64 { return float64(k) / 1024 }),
			5, 16, rapid.ID).Draw(t, "d")
		walsh := walshAverages(d)
		want := tukey(walsh, len(d), 0.05)
		got := searchBound(d, walsh, 0.05, below(walsh[0]))
		if math.Abs(got-want) > 1e-6 {
			t.Fatalf("search %v, Tukey %v", got, want)
		}
	})
}

func TestMirrorAndShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := coarse(1, 20).Draw(t, "d")
		c := float64(rapid.IntRange(-40, 40).Draw(t, "c")) / 8
		mirrored, moved := make([]float64, len(d)), make([]float64, len(d))
		for i, v := range d {
			mirrored[i], moved[i] = -v, v+c
		}
		a, b := SignedRankTest(d, 0), SignedRankTest(mirrored, 0)
		if a.Greater != b.Less || a.TwoSided != b.TwoSided || HodgesLehmann(mirrored) != -HodgesLehmann(d) {
			t.Fatalf("swapping the arms is not the mirror result: %+v %+v", a, b)
		}
		if got := HodgesLehmann(moved); math.Abs(got-HodgesLehmann(d)-c) > 1e-12 {
			t.Fatalf("shift by %v moved the estimate by %v", c, got-HodgesLehmann(d))
		}
		if got, want := NewShift(moved).Lower(0.05, c), NewShift(d).Lower(0.05, 0)+c; !(math.Abs(got-want) <= 1e-9 || got == want) {
			t.Fatalf("shift by %v: bound %v, want %v", c, got, want)
		}
	})
}
