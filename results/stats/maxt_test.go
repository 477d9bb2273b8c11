package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestMaxTOfOneIsItsOwnTest(t *testing.T) {
	got := MaxT([]Hypothesis{{RankScores(depression(), 0, nil), 0.05}}, 1)[0]
	if got.P != 0.01953125 || got.Adjusted != got.P || got.Level != 0.05 {
		t.Errorf("one hypothesis: %+v, want its own p and level", got)
	}
}

// Two metrics that say the same cost nothing: their joint extreme is that of one.
func TestMaxTOfTwins(t *testing.T) {
	h := Hypothesis{RankScores(depression(), 0, nil), 0.05}
	for i, got := range MaxT([]Hypothesis{h, h}, 1) {
		if got.Adjusted != got.P || got.P > got.Level {
			t.Errorf("twin %d: %+v, want the p of one alone", i, got)
		}
	}
}

// Metrics with coins of their own are independent: 1 − (1 − p)².
func TestMaxTOfStrangers(t *testing.T) {
	d := []float64{1, 2, 3, 4, 5, 6}
	h := []Hypothesis{
		{RankScores(d, 0, []int{0, 1, 2, 3, 4, 5}), 0.05},
		{RankScores(d, 0, []int{6, 7, 8, 9, 10, 11}), 0.05},
	}
	p := 1.0 / 64
	near(t, "adjusted p", MaxT(h, 1)[0].Adjusted, 1-(1-p)*(1-p), 1e-12)
}

func TestMaxTLeavesOutTheHopeless(t *testing.T) {
	d := []float64{1, 2, 3, 4, 5, 6}
	never := []float64{-1, -2, -3, -4, -5, -6}
	got := MaxT([]Hypothesis{{RankScores(d, 0, nil), 0.05}, {RankScores(never, 0, nil), 0.05}}, 1)
	if got[0].Adjusted != 1.0/64 || got[1].Adjusted != 1 {
		t.Errorf("got %+v, want 1/64 untouched beside a hypothesis without a positive score", got)
	}
}

func TestMaxTLevelAndAdjustedAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 16).Draw(t, "n")
		alpha := rapid.SampledFrom([]float64{0.05, 0.2}).Draw(t, "alpha")
		var family []Hypothesis
		for k := range rapid.IntRange(2, 4).Draw(t, "family") {
			d := rapid.OneOf(coarse(n, n), fine(n, n)).Draw(t, "d")
			for i := range d {
				d[i] += 0.8
			}
			family = append(family, Hypothesis{RankScores(d, 0, nil), alpha / float64(1+k%2)})
		}
		for i, r := range MaxT(family, 7) {
			if r.Adjusted < r.P {
				t.Fatalf("hypothesis %d: adjusted below its own p: %+v", i, r)
			}
			if (r.Adjusted <= family[i].Alpha) != (r.P <= r.Level) {
				t.Fatalf("hypothesis %d at %v: level and adjusted p disagree: %+v", i, family[i].Alpha, r)
			}
		}
	})
}

// Any of four correlated true null hypotheses is rejected in at most a share
// alpha of runs, and in more than Bonferroni's share.
func TestMaxTKeepsTheFamilyError(t *testing.T) {
	const runs, pairs, alpha = 2000, 10, 0.05
	draw := rand.New(rand.NewPCG(11, 12))
	alarms, plain := 0, 0
	for run := range runs {
		family := make([]Hypothesis, 4)
		values := make([][]float64, 4)
		for range pairs {
			shared := draw.NormFloat64()
			for k := range values {
				values[k] = append(values[k], shared+0.5*draw.NormFloat64())
			}
		}
		for k := range family {
			family[k] = Hypothesis{RankScores(values[k], 0, nil), alpha}
		}
		any, anyPlain := false, false
		for _, r := range MaxT(family, uint64(run)) {
			any = any || r.Adjusted <= alpha
			anyPlain = anyPlain || r.P <= alpha
		}
		alarms, plain = alarms+b2i(any), plain+b2i(anyPlain)
	}
	t.Logf("any of four: %.1f %% with max-T, %.1f %% without", 100*float64(alarms)/runs, 100*float64(plain)/runs)
	if _, high := ClopperPearson(alarms, runs, 0.9999); high < 0.04 || float64(alarms)/runs > alpha+4*math.Sqrt(alpha*(1-alpha)/runs) {
		t.Errorf("%d alarms in %d runs, want a share near %v", alarms, runs, alpha)
	}
	if plain < alarms*3/2 {
		t.Errorf("without max-T %d alarms, with it %d: the test shows nothing", plain, alarms)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestHolm(t *testing.T) {
	// R: p.adjust(c(0.01, 0.04, 0.03, 0.02), "holm")
	adjusted, level := Holm([]float64{0.01, 0.04, 0.03, 0.02}, 0.05)
	for i, want := range []float64{0.04, 0.06, 0.06, 0.06} {
		near(t, "adjusted", adjusted[i], want, 1e-12)
	}
	near(t, "level of the first", level[0], 0.0125, 1e-12)
	near(t, "level of those after the first failure", level[1], 0.05/3, 1e-12)
}

func TestHolmLevelAndAdjustedAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 0.2), 1, 8).Draw(t, "p")
		adjusted, level := Holm(p, 0.05)
		for i := range p {
			if (adjusted[i] <= 0.05) != (p[i] <= level[i]) {
				t.Fatalf("p %v: adjusted %v, level %v", p[i], adjusted[i], level[i])
			}
		}
	})
}
