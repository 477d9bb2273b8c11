package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"switchback/results/record"
	"switchback/results/units"
)

// fixed gives each arm its value of each metric, with a little noise that
// differs between pairs and arms.
func fixed(values map[string]map[string]float64) func(int, string) []record.Value {
	return func(pair int, arm string) []record.Value {
		all := []record.Value{{Metric: "errors.ratio", N: 1000}}
		for metric, v := range values[arm] {
			wobble := 1 + 0.001*math.Sin(float64(7*pair+3*len(arm)))
			all = append(all, record.Value{Metric: metric, Value: v * wobble, N: 1000})
		}
		return all
	}
}

func two(metric string, base, candidate float64) func(int, string) []record.Value {
	return fixed(map[string]map[string]float64{"base": {metric: base}, "candidate": {metric: candidate}})
}

func judgeOne(t *testing.T, m made, b Bound, change ...func(*Run, *Rules)) (record.Gate, record.Summary) {
	t.Helper()
	run, rules := m.run(), Rules{Arms: m.arms, Bounds: []Bound{b}}
	for _, c := range change {
		c(&run, &rules)
	}
	s, err := Summarise(run, rules)
	if err != nil {
		t.Fatal(err)
	}
	return s.Gates[0], s
}

func TestEveryKindOfBound(t *testing.T) {
	a := func(text string) *units.Amount { return amount(t, text) }
	for _, c := range []struct {
		name            string
		metric          string
		base, candidate float64
		bound           Bound
		want            string
	}{
		{"slower than the margin", "ttfb.p50", 1e-3, 1.1e-3, Bound{MaxRegression: a("5%")}, record.Regression},
		{"within the margin", "ttfb.p50", 1e-3, 1.03e-3, Bound{MaxRegression: a("5%")}, record.Pass},
		{"above the margin, below the floor", "ttfb.p50", 1e-3, 1.1e-3, Bound{MaxRegression: a("5%"), Floor: a("200us")}, record.Pass},
		{"above both", "ttfb.p50", 1e-3, 1.5e-3, Bound{MaxRegression: a("5%"), Floor: a("200us")}, record.Regression},
		{"absolute, above", "ttfb.p50", 1e-3, 1.5e-3, Bound{MaxIncrease: a("100us")}, record.Regression},
		{"absolute, below", "ttfb.p50", 1e-3, 1.05e-3, Bound{MaxIncrease: a("100us")}, record.Pass},
		{"improved enough", "edge.cpu", 1e-3, 0.5e-3, Bound{MinImprovement: a("30%")}, record.Pass},
		{"improved too little", "edge.cpu", 1e-3, 0.9e-3, Bound{MinImprovement: a("30%")}, record.Regression},
		{"hit ratio falls", "cache.hit_ratio", 0.9, 0.8, Bound{MaxIncrease: a("1%")}, record.Regression},
		{"hit ratio rises", "cache.hit_ratio", 0.8, 0.9, Bound{MaxIncrease: a("1%")}, record.Pass},
		{"hit ratio falls by a share", "cache.hit_ratio", 0.9, 0.8, Bound{MaxRegression: a("5%")}, record.Regression},
		{"origin load rises by a share", "origin.requests", 100, 120, Bound{MaxRegression: a("10%")}, record.Regression},
		{"origin load stays at zero", "origin.requests", 0, 0, Bound{MaxRegression: a("10%")}, record.Pass},
		{"answers never differ", "answers.differ", 0, 0, Bound{MaxIncrease: a("0")}, record.Pass},
		{"own value above its limit", "ttfb.p99", 1e-3, 5e-3, Bound{Max: a("4ms")}, record.Regression},
		{"own value below its limit", "ttfb.p99", 9e-3, 3e-3, Bound{Max: a("4ms")}, record.Pass},
		{"own value at its limit", "ttfb.p99", 1e-3, 4e-3, Bound{Max: a("4ms")}, record.Inconclusive},
		{"own value above its least", "cache.hit_ratio", 0.5, 0.9, Bound{Min: a("80%")}, record.Pass},
		{"own value below its least", "cache.hit_ratio", 0.9, 0.7, Bound{Min: a("80%")}, record.Regression},
		{"memory grows", "edge.memory.peak", 64 << 20, 96 << 20, Bound{MaxRegression: a("10%")}, record.Regression},
		{"a phase appears", "phase.ring.p50", 0, 1e-3, Bound{MaxIncrease: a("10us")}, record.Regression},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.bound.Metric = c.metric
			if err := c.bound.Validate(); err != nil {
				t.Fatal(err)
			}
			m := made{pairs: 16, arms: both(), values: two(c.metric, c.base, c.candidate)}
			if g, _ := judgeOne(t, m, c.bound); g.Verdict != c.want {
				t.Errorf("verdict %s, want %s: %+v", g.Verdict, c.want, g)
			}
		})
	}
}

// Bounds and p say the same in every gate: lower above margin means p ≤ alpha.
func TestGateBoundsAndPAgree(t *testing.T) {
	for _, factor := range []float64{0.9, 1, 1.02, 1.04, 1.05, 1.06, 1.08, 1.2} {
		m := made{pairs: 12, arms: both(), values: noisy(factor)}
		g, _ := judgeOne(t, m, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")})
		if (g.Lower > 1+g.Margin) != (g.P <= g.Alpha) {
			t.Errorf("factor %v: lower %v, margin %v, p %v, alpha %v", factor, g.Lower, g.Margin, g.P, g.Alpha)
		}
	}
}

func TestSwappingTheArmsIsTheMirror(t *testing.T) {
	run := made{pairs: 12, arms: both(), values: noisy(1.07)}.run()
	a, errA := Summarise(run, Rules{Arms: both()})
	b, errB := Summarise(run, Rules{Arms: both(), Baseline: "candidate"})
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	there, back := a.Metrics[0].Change["candidate"], b.Metrics[0].Change["base"]
	for name, product := range map[string]float64{"ratio": there.Ratio * back.Ratio, "low": there.Low * back.High, "high": there.High * back.Low} {
		if math.Abs(product-1) > 1e-12 {
			t.Errorf("%s: %v times its mirror", name, product)
		}
	}
	if there.P != back.P {
		t.Errorf("p %v and %v", there.P, back.P)
	}
}

// Two starts of one binary differ: with several pairs a launch the launches
// are tested, and the many pairs inside them prove nothing.
func TestLaunchMeansAreTested(t *testing.T) {
	offset := func(pair int, arm string) []record.Value {
		v := 1e-3 * (1 + 0.0001*float64(pair%10))
		if arm == "candidate" {
			launch := pair / 10
			v *= 1 + 0.05*math.Pow(-1, float64(launch)) + 0.06 // differs by launch
		}
		return []record.Value{{Metric: "ttfb.p50", Value: v, N: 1000}, {Metric: "errors.ratio", N: 1000}}
	}
	m := made{pairs: 40, every: 10, arms: both(), values: offset}
	g, s := judgeOne(t, m, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "0%")})
	if g.Verdict != record.Invalid || !strings.Contains(strings.Join(s.Validity.Notes, "\n"), "4 pairs or launches") {
		t.Errorf("4 launches: verdict %s, notes %q; they cannot reach alpha", g.Verdict, s.Validity.Notes)
	}
	g, _ = judgeOne(t, m, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "0%")}, func(_ *Run, r *Rules) { r.OneProcess = true })
	if g.Verdict != record.Regression {
		t.Errorf("one process: verdict %s; its pairs are the units", g.Verdict)
	}
}

func TestSeveralArmsAndGroups(t *testing.T) {
	values := func(pair int, arm string) []record.Value {
		all := fixed(map[string]map[string]float64{"base": {"ttfb.p50": 1e-3}, "b": {"ttfb.p50": 1e-3}, "c": {"ttfb.p50": 1.3e-3}})(pair, arm)
		grouped := all[1]
		grouped.Group = "size=10"
		return append(all, grouped)
	}
	m := made{pairs: 14, arms: []string{"base", "b", "c"}, values: values}
	_, s := judgeOne(t, m, Bound{Metric: "ttfb.p50", Group: "size=10", MaxRegression: amount(t, "5%")})
	got := map[string]string{}
	for _, g := range s.Gates {
		got[fmt.Sprint(g.Metric, " ", g.Group, " ", g.Arm)] = g.Verdict
	}
	want := map[string]string{
		"ttfb.p50 size=10 b": record.Pass, "ttfb.p50 size=10 c": record.Regression,
		"errors.ratio  b": record.Pass, "errors.ratio  c": record.Pass,
	}
	for gate, verdict := range want {
		if got[gate] != verdict {
			t.Errorf("gate %q: %s, want %s", gate, got[gate], verdict)
		}
	}
	if len(got) != len(want) || s.Verdict != record.Regression {
		t.Errorf("gates %v, verdict %s", got, s.Verdict)
	}
}

// A run that was killed in the middle of a pair is judged by its whole pairs.
func TestIncompletePairsAreLeftOut(t *testing.T) {
	m := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1.2e-3)}
	bound := Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}
	g, s := judgeOne(t, m, bound, func(run *Run, _ *Rules) { run.Blocks = run.Blocks[:25] })
	if g.Verdict != record.Regression || s.Pairs != 12 || g.Pairs != 12 {
		t.Errorf("12 of 20 pairs: %s with %d pairs", g.Verdict, g.Pairs)
	}
	_, s = judgeOne(t, m, bound, func(run *Run, _ *Rules) { run.Blocks = run.Blocks[:9] })
	if s.Verdict != record.Invalid {
		t.Errorf("4 of 20 pairs: %s, want invalid: too few are left", s.Verdict)
	}
}

func TestMissingValuesAreNoPass(t *testing.T) {
	holes := func(every int) func(*Run, *Rules) {
		return func(run *Run, _ *Rules) {
			for i := range run.Blocks {
				if run.Blocks[i].Arm == "candidate" && run.Blocks[i].Pair%every == 0 {
					run.Blocks[i].Metrics = nil
				}
			}
		}
	}
	m := made{pairs: 40, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}
	bound := Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}
	if g, _ := judgeOne(t, m, bound, holes(20)); g.Verdict != record.Pass || g.Pairs != 38 {
		t.Errorf("2 of 40 pairs without a value: %s with %d pairs", g.Verdict, g.Pairs)
	}
	if g, s := judgeOne(t, m, bound, holes(5)); g.Verdict != record.Invalid || s.Verdict != record.Invalid {
		t.Errorf("8 of 40 pairs without a value: %s, want invalid", g.Verdict)
	}
}

func TestTwoBlocksOfOneArmAreRefused(t *testing.T) {
	run := made{pairs: 3, arms: []string{"base", "base"}, values: two("ttfb.p50", 1, 1)}.run()
	if _, err := Summarise(run, Rules{}); err == nil || !strings.Contains(err.Error(), "two blocks of arm base") {
		t.Errorf("error %v", err)
	}
}

func TestTwoLooks(t *testing.T) {
	bound := Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}
	m := made{pairs: 32, arms: both(), values: two("ttfb.p50", 1e-3, 1.3e-3)}
	run := m.run()
	rules := Rules{Arms: both(), Bounds: []Bound{bound}, Looks: 2, Pairs: 32}
	whole, err := Summarise(run, rules)
	if err != nil || math.Abs(whole.Gates[0].Alpha-0.04) > 1e-12 {
		t.Errorf("second look at alpha %v, want four fifths: %v", whole.Gates[0].Alpha, err)
	}
	run.Blocks = run.Blocks[:32]
	half, decided, err := FirstLook(run, rules)
	if err != nil || !decided || half.Verdict != record.Regression || math.Abs(half.Gates[0].Alpha-0.01) > 1e-12 {
		t.Errorf("first look: %s at alpha %v, decided %v, %v", half.Verdict, half.Gates[0].Alpha, decided, err)
	}
	run = made{pairs: 32, arms: both(), values: noisy(1.05)}.run()
	run.Blocks = run.Blocks[:32]
	if half, decided, err = FirstLook(run, rules); err != nil || decided {
		t.Errorf("at the margin: %s, decided %v, %v; want to look again", half.Verdict, decided, err)
	}
}

func TestPooledWithoutInterval(t *testing.T) {
	m := made{pairs: 12, arms: both(), values: noisy(1)}
	run := m.run()
	run.Pooled = map[string][]record.Value{
		"base":      {{Metric: "ttfb.p999", Value: 0.1, N: 12000}, {Metric: "ttfb.p50", Value: 9, N: 12000}},
		"candidate": {{Metric: "ttfb.p999", Value: 0.2, N: 12000}},
	}
	s, err := Summarise(run, Rules{Arms: both()})
	if err != nil {
		t.Fatal(err)
	}
	last := s.Metrics[len(s.Metrics)-1]
	if last.Name != "ttfb.p999" || !last.Pooled || last.Change != nil || last.Arms["candidate"] != 0.2 {
		t.Errorf("pooled metric %+v", last)
	}
	if s.Metrics[0].Name != "ttfb.p50" || s.Metrics[0].Pooled || s.Verdict != record.None {
		t.Errorf("metric of the blocks %+v, verdict %s", s.Metrics[0], s.Verdict)
	}
}

// More pairs than the exact tests take are averaged in stretches.
func TestManyPairs(t *testing.T) {
	m := made{pairs: 1200, arms: both(), values: noisy(1.02)}
	g, _ := judgeOne(t, m, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "0%")})
	if g.Verdict != record.Regression || g.Pairs != 1200 || !(g.Lower < 1.02 && 1.02 < g.Upper) {
		t.Errorf("%+v, want a regression around 1.02", g)
	}
}

// Whatever is missing from a run, there is a summary that JSON can hold, and no
// regression without a p that says so.
func TestAnyRunHasASummary(t *testing.T) {
	bounds := []Bound{
		{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}, {Metric: "cache.hit_ratio", MaxIncrease: amount(t, "1%")},
		{Metric: "ttfb.p50", Max: amount(t, "1.2ms")}, {Metric: "origin.requests", Group: "size=7", MinImprovement: amount(t, "5%")},
	}
	rapid.Check(t, func(t *rapid.T) {
		m := made{pairs: rapid.IntRange(0, 20).Draw(t, "pairs"), arms: both(), every: rapid.IntRange(1, 3).Draw(t, "every"),
			values: noisy(rapid.Float64Range(0.8, 1.3).Draw(t, "factor"))}
		run := m.run()
		var kept []record.Block
		for _, b := range run.Blocks {
			switch rapid.SampledFrom([]string{"", "", "", "", "", "lost", "dead", "empty", "zero", "infinite"}).Draw(t, "fate") {
			case "lost":
				continue
			case "dead":
				b.Dead = rapid.IntRange(0, 9).Draw(t, "dead") == 0
			case "empty":
				b.Metrics = nil
			case "zero":
				b.Metrics[0].Value = 0
			case "infinite":
				b.Metrics[0].Value = math.Inf(1)
			}
			kept = append(kept, b)
		}
		run.Blocks = kept
		s, err := Summarise(run, Rules{Arms: both(), Bounds: bounds[:rapid.IntRange(0, len(bounds)).Draw(t, "bounds")]})
		if err != nil && !errors.Is(err, ErrNothingCompared) {
			t.Fatal(err)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
		for _, g := range s.Gates {
			if g.Verdict == record.Regression && g.Reason == "" && g.P > g.Alpha || g.Verdict == record.Pass && g.P <= g.Alpha {
				t.Fatalf("verdict and p disagree: %+v", g)
			}
		}
		if errors.Is(err, ErrNothingCompared) && s.Verdict == record.Pass {
			t.Fatalf("a pass that compared nothing: %+v", s)
		}
	})
}
