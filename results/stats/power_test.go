package stats

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestDetectableAndNeededAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 2000).Draw(t, "n")
		sigma := rapid.Float64Range(1e-4, 10).Draw(t, "sigma")
		alpha := rapid.SampledFrom([]float64{0.05, 0.01, 0.001}).Draw(t, "alpha")
		if got := Needed(Detectable(sigma, n, alpha), sigma, alpha); got != n && got != n+1 {
			t.Fatalf("%d values detect what needs %d", n, got)
		}
	})
}

func TestPowerFormulas(t *testing.T) {
	// (1.6449 + 0.8416)·0.1/√25 = 0.049729
	near(t, "detectable", Detectable(0.1, 25, 0.05), 0.049729, 1e-5)
	near(t, "MDE", MDE(0.05, 0.1, 25, 0.05), 1.05*math.Exp(0.049729)-1, 1e-5)
	// (2.4865·0.1 / ln 1.05)² = 25.97
	if got := Needed(math.Log(1.05), 0.1, 0.05); got != 26 {
		t.Errorf("pairs needed for 5 %% = %d, want 26", got)
	}
	if got := Needed(0, 0.1, 0.05); got != 0 {
		t.Errorf("a distance of zero needs %d values, want 0: no number would do", got)
	}
	near(t, "spread", Spread([]float64{2, 4, 4, 4, 5, 5, 7, 9}), math.Sqrt(32.0/7), 1e-12)
}

// TestShiftSpread checks the spread of a shift on the quantiles of the normal
// law: with wild values among them it stays near theirs.
func TestShiftSpread(t *testing.T) {
	d := make([]float64, 160)
	for i := range d {
		d[i] = distuv.UnitNormal.Quantile((float64(i) + 0.5) / float64(len(d)))
	}
	near(t, "normal values", NewShift(d).Spread(), 1, 0.03)
	for i := range 8 {
		d[20*i+10] = 100
	}
	if got, plain := NewShift(d).Spread(), Spread(d); got < 1 || got > 1.3 || plain < 20 {
		t.Errorf("with eight wild values the spread is %v, the standard deviation %v; want about 1.1 and over 20", got, plain)
	}
	near(t, "too few for an interval", NewShift([]float64{1, 3}).Spread(), math.Sqrt2, 1e-12)
}

func TestClopperPearson(t *testing.T) {
	_, high := ClopperPearson(0, 59, 0.95)
	near(t, "0 of 59", high, 1-math.Pow(0.05, 1.0/59), 1e-9)
	if high > 0.05 {
		t.Errorf("0 of 59 shows at most %v, want at most 5 %%", high)
	}
	// R's help page: binom.test(682, 925) gives [0.7076683, 0.7654066].
	low, high := ClopperPearson(682, 925, 0.975)
	near(t, "low", low, 0.7076683, 1e-7)
	near(t, "high", high, 0.7654066, 1e-7)
	if low, high := ClopperPearson(5, 5, 0.95); high != 1 || math.Abs(low-math.Pow(0.05, 0.2)) > 1e-9 {
		t.Errorf("5 of 5: [%v, %v]", low, high)
	}
}

func TestMedianBoundsAndTestAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(coarse(1, 30), fine(1, 30)).Draw(t, "x")
		bound := float64(rapid.IntRange(-8, 8).Draw(t, "bound")) / 4
		lower, upper := MedianBounds(x, 0.05)
		above, below := MedianTest(x, bound)
		if (lower > bound) != (above <= 0.05) || (upper < bound) != (below <= 0.05) {
			t.Fatalf("bounds [%v, %v] of %v, p above %v, below %v", lower, upper, bound, above, below)
		}
	})
}

// Order statistics of ten values at 5 %: P(at most 1 head of 10) = 11/1024.
func TestMedianBounds(t *testing.T) {
	lower, upper := MedianBounds([]float64{10, 1, 9, 2, 8, 3, 7, 4, 6, 5}, 0.05)
	if lower != 2 || upper != 9 {
		t.Errorf("bounds [%v, %v], want [2, 9]", lower, upper)
	}
}

func TestRankSumMatchesR(t *testing.T) {
	// R's help page of wilcox.test: permeability constants of the human
	// chorioamnion (Hollander and Wolfe, 1973, p. 69): W = 35, p = 0.1272.
	x := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	y := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	r := RankSumTest(y, x, 0, 0.05)
	near(t, "p", r.Greater, 0.1272, 5e-5)
	near(t, "shift", r.Shift, 0.305, 1e-9)
}

func TestRankSumBoundAndPAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.OneOf(coarse(2, 12), fine(2, 12)).Draw(t, "a")
		b := rapid.OneOf(coarse(2, 12), fine(2, 12)).Draw(t, "b")
		margin := float64(rapid.IntRange(-8, 8).Draw(t, "margin")) / 4
		r := RankSumTest(a, b, margin, 0.05)
		if (r.Lower > margin) != (r.Greater <= 0.05) || (r.Upper < margin) != (r.Less <= 0.05) {
			t.Fatalf("%+v does not agree at margin %v", r, margin)
		}
		if back := RankSumTest(b, a, -margin, 0.05); math.Abs(back.Greater-r.Less) > 1e-12 || back.Shift != -r.Shift {
			t.Fatalf("swapping the samples is not the mirror result: %+v %+v", r, back)
		}
	})
}

// The normal tail takes over where the exact one ends.
func TestRankSumTailsMeet(t *testing.T) {
	exact := cumulateFromTop(exactRankSum(50, 50))
	normal := rankSumTail(50, 51)
	for _, u := range []int{1300, 1500, 1700} {
		if got, want := normal(u+25), exact[u]; math.Abs(got-want) > 0.01 {
			t.Errorf("at U = %d: normal %v, exact %v", u, got, want)
		}
	}
}

func TestGroupMeans(t *testing.T) {
	means, groups := GroupMeans([]float64{1, 2, 3, 10, 5}, []int{4, 4, 7, 9, 7})
	if !slices.Equal(means, []float64{1.5, 4, 10}) || !slices.Equal(groups, []int{4, 7, 9}) {
		t.Errorf("means %v of launches %v", means, groups)
	}
}

// 160 pairs with ties everywhere are the largest design in use.
func BenchmarkLower(b *testing.B) {
	d := make([]float64, 160)
	for i := range d {
		d[i] = float64((i*7919)%31-13) / 1000
	}
	for b.Loop() {
		NewShift(d).Lower(0.05, 0)
	}
}
