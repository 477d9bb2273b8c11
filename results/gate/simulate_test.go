package gate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"switchback/results/record"
	"switchback/results/stats"
	"switchback/results/units"
)

// A simulated run has so many pairs; the noise of a block has this spread.
const (
	simulatedGates = 2000
	simulatedPairs = 20
	blockSpread    = 0.065
)

// noiseModels give the logarithms of the noise of n consecutive blocks.
func noiseModels() []struct {
	name string
	make func(draw *rand.Rand, n int) []float64
} {
	return []struct {
		name string
		make func(draw *rand.Rand, n int) []float64
	}{
		{"independent", func(draw *rand.Rand, n int) []float64 { return autoregressive(draw, n, 0) }},
		{"AR(1) 0.7", func(draw *rand.Rand, n int) []float64 { return autoregressive(draw, n, 0.7) }},
		{"AR(1) 0.95", func(draw *rand.Rand, n int) []float64 { return autoregressive(draw, n, 0.95) }},
		{"30 % drift", drifting},
		{"AR(1) 0.9 with shocks", shocked},
	}
}

func autoregressive(draw *rand.Rand, n int, phi float64) []float64 {
	x := make([]float64, n)
	at := blockSpread * draw.NormFloat64()
	for i := range x {
		x[i] = at
		at = phi*at + math.Sqrt(1-phi*phi)*blockSpread*draw.NormFloat64()
	}
	return x
}

func drifting(draw *rand.Rand, n int) []float64 {
	x := autoregressive(draw, n, 0)
	for i := range x {
		x[i] += math.Log(1.3) * float64(i) / float64(n-1)
	}
	return x
}

func shocked(draw *rand.Rand, n int) []float64 {
	x := autoregressive(draw, n, 0.9)
	for i := range x {
		if draw.Float64() < 0.05 {
			x[i] += 0.3 * draw.ExpFloat64()
		}
	}
	return x
}

// simulate makes a run whose candidate is slower by effect, in the order that
// coins decide, and returns the values of both arms too.
func simulate(draw *rand.Rand, noise []float64, effect float64) (run Run, base, candidate []float64) {
	run.Manifest = record.Manifest{Run: "simulated", Order: make([][]string, len(noise)/2)}
	for pair := range len(noise) / 2 {
		arms := both()
		if draw.Uint64()&1 == 1 {
			arms[0], arms[1] = arms[1], arms[0]
		}
		for order, arm := range arms {
			v := 0.001 * math.Exp(noise[2*pair+order])
			if arm == "candidate" {
				v *= 1 + effect
				candidate = append(candidate, v)
			} else {
				base = append(base, v)
			}
			run.Blocks = append(run.Blocks, record.Block{Pair: pair, Order: order, Arm: arm, Launch: pair, Length: 1, Due: 1, Released: 1,
				Metrics: []record.Value{{Metric: "ttfb.p50", Value: v, N: 1000}, {Metric: "errors.ratio", N: 1000}}})
		}
	}
	return run, base, candidate
}

// judged returns the gate on ttfb.p50 at margin 0 and alpha 5 %: a regression
// exactly when p is at most 5 %, and at 1 % exactly when it is at most that.
func judged(t *testing.T, run Run) record.Gate {
	t.Helper()
	s, err := Summarise(run, Rules{Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: &units.Amount{Text: "0%"}}}})
	if err != nil {
		t.Fatal(err)
	}
	g := s.Gates[0]
	if (g.P <= 0.05) != (s.Verdict == record.Regression) {
		t.Fatalf("p %v but verdict %s", g.P, s.Verdict)
	}
	return g
}

// rankSum tests two samples of simulatedPairs values by the unpaired rank
// test, with the p of each U computed once.
type rankSum map[int]float64

func (r rankSum) p(base, candidate []float64) float64 {
	u := 0
	for _, a := range base {
		for _, b := range candidate {
			u += ones(b > a)
		}
	}
	if _, ok := r[u]; !ok {
		r[u] = stats.RankSumTest(base, candidate, 0, 0.05).Greater
	}
	return r[u]
}

// TestSimulatedGates is the regression test of the gate itself: false alarms
// at margin 0 within binomial bounds of alpha, and the power at a true +5 %
// beside that of an unpaired rank test of the same blocks.
func TestSimulatedGates(t *testing.T) {
	for i, model := range noiseModels() {
		t.Run(model.name, func(t *testing.T) {
			t.Parallel()
			draw := rand.New(rand.NewPCG(2026, uint64(i)))
			five, one, found, unpaired := 0, 0, 0, 0
			ranks := rankSum{}
			for range simulatedGates {
				same, _, _ := simulate(draw, model.make(draw, 2*simulatedPairs), 0)
				p := judged(t, same).P
				five, one = five+ones(p <= 0.05), one+ones(p <= 0.01)
				slower, base, candidate := simulate(draw, model.make(draw, 2*simulatedPairs), 0.05)
				found += ones(judged(t, slower).P <= 0.05)
				unpaired += ones(ranks.p(base, candidate) <= 0.05)
			}
			share := func(k int) float64 { return 100 * float64(k) / simulatedGates }
			t.Logf("| %s | %.2f %% | %.2f %% | %.1f %% | %.1f %% |", model.name, share(five), share(one), share(found), share(unpaired))
			withinBinomial(t, five, 0.05)
			withinBinomial(t, one, 0.01)
			if least := share(unpaired) - 5; i == 0 && share(found) < least {
				t.Errorf("power %.1f %%, want at least %.1f %%", share(found), least)
			}
			if i > 0 && found <= unpaired {
				t.Errorf("power %.1f %%, want more than the unpaired test's %.1f %%", share(found), share(unpaired))
			}
		})
	}
}

func ones(b bool) int {
	if b {
		return 1
	}
	return 0
}

// withinBinomial checks a count of alarms against alpha: above it by chance in
// one of 10,000 series; the exact test's own level is up to a tenth below it.
func withinBinomial(t *testing.T, alarms int, alpha float64) {
	t.Helper()
	n := float64(simulatedGates)
	sd := math.Sqrt(alpha * (1 - alpha) / n)
	z := distuv.UnitNormal.Quantile(0.9999)
	if got := float64(alarms) / n; got > alpha+z*sd || got < 0.9*alpha-z*sd {
		t.Errorf("%d false alarms in %d gates at alpha %v", alarms, simulatedGates, alpha)
	}
}

// Three quantiles that say much the same, each gated: any alarm counts.
func TestSimulatedFamily(t *testing.T) {
	draw := rand.New(rand.NewPCG(2026, 99))
	count := 0
	const runs = 500
	for range runs {
		run, _, _ := simulate(draw, autoregressive(draw, 2*simulatedPairs, 0.7), 0)
		for i := range run.Blocks {
			b := &run.Blocks[i]
			for _, metric := range []string{"ttfb.p90", "ttfb.p95"} {
				b.Metrics = append(b.Metrics, record.Value{Metric: metric, Value: b.Metrics[0].Value * math.Exp(0.05*draw.NormFloat64()), N: 1000})
			}
		}
		zero := &units.Amount{Text: "0%"}
		s, err := Summarise(run, Rules{Bounds: []Bound{
			{Metric: "ttfb.p50", MaxRegression: zero}, {Metric: "ttfb.p90", MaxRegression: zero}, {Metric: "ttfb.p95", MaxRegression: zero}}})
		if err != nil {
			t.Fatal(err)
		}
		count += ones(s.Verdict == record.Regression)
	}
	t.Logf("any of three quantiles: %d false alarms in %d runs", count, runs)
	if limit := runs*0.05 + 4*math.Sqrt(runs*0.05*0.95); float64(count) > limit || count < 8 {
		t.Errorf("%d false alarms in %d runs at alpha 5 %%", count, runs)
	}
}

// Two starts of one program differ lastingly: with five pairs a launch a test
// of pairs takes the luck of a few starts for an effect; launch means do not.
func TestSimulatedLaunches(t *testing.T) {
	const runs, launches, every, offset = 500, 8, 5, 0.05
	draw := rand.New(rand.NewPCG(2026, 7))
	byLaunch, byPair := 0, 0
	for range runs {
		run, _, _ := simulate(draw, autoregressive(draw, 2*launches*every, 0), 0)
		starts := map[string]float64{}
		for i := range run.Blocks {
			b := &run.Blocks[i]
			b.Launch = b.Pair / every
			start := b.Arm + string(rune('a'+b.Launch))
			if _, ok := starts[start]; !ok {
				starts[start] = math.Exp(offset * draw.NormFloat64())
			}
			b.Metrics[0].Value *= starts[start]
		}
		for _, one := range []bool{false, true} {
			s, err := Summarise(run, Rules{Arms: both(), OneProcess: one, Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: &units.Amount{Text: "0%"}}}})
			if err != nil {
				t.Fatal(err)
			}
			alarm := ones(s.Verdict == record.Regression)
			if one {
				byPair += alarm
			} else {
				byLaunch += alarm
			}
		}
	}
	t.Logf("false alarms with starts that differ by 5 %%: %.1f %% testing pairs, %.1f %% testing launch means", 100*float64(byPair)/runs, 100*float64(byLaunch)/runs)
	if limit := runs*0.05 + 4*math.Sqrt(runs*0.05*0.95); float64(byLaunch) > limit || byPair < 2*byLaunch {
		t.Errorf("%d false alarms by launch means, %d by pairs, in %d runs", byLaunch, byPair, runs)
	}
}
