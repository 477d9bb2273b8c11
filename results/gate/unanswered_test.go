package gate

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"switchback/results/record"
)

// unanswered gives the arms the same times, and lets so many of 1,000 requests of a
// block fail: where that reaches the rank of ttfb.p50, it has no answer.
func unanswered(failed func(pair int, arm string) int64) func(int, string) []record.Value {
	same := two("ttfb.p50", 1e-3, 1e-3)
	return func(pair int, arm string) []record.Value {
		values := same(pair, arm)
		n := failed(pair, arm)
		values[0].Value = float64(n) / 1000
		values[1].Failed = n
		if n > 500 {
			values[1].Value = math.Inf(1)
		}
		return values
	}
}

// inSome lets an arm fail all requests in the first pairs.
func inSome(failing string, pairs int) func(int, string) int64 {
	return func(pair int, arm string) int64 {
		if arm == failing && pair < pairs {
			return 1000
		}
		return 0
	}
}

func TestFailingFastDoesNotWin(t *testing.T) {
	m := made{pairs: 20, arms: []string{"base", "candidate"}, values: unanswered(inSome("candidate", 20))}
	g, s := judgeOne(t, m, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")})
	if g.Verdict != record.Regression || !g.NoAnswer || s.Verdict != record.Regression {
		t.Errorf("gate %+v, verdict %s; want a regression for want of answers", g, s.Verdict)
	}
	for _, m := range s.Metrics {
		if c := m.Change["candidate"]; m.Name == "ttfb.p50" && (c.NoAnswer != record.ByArm || c.Ratio != 0 || !math.IsInf(m.Arms["candidate"], 1)) {
			t.Errorf("%+v; want no ratio and no answer", m)
		}
	}
	var text bytes.Buffer
	if err := Explain(&text, s); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "change: lower bound no answer") {
		t.Errorf("it reads\n%s", text.String())
	}
}

func TestAnOwnBoundOnNoAnswerIsBroken(t *testing.T) {
	m := made{pairs: 20, arms: []string{"base", "candidate"}, values: unanswered(inSome("candidate", 20))}
	g, _ := judgeOne(t, m, Bound{Metric: "ttfb.p50", Max: amount(t, "1s")})
	if g.Verdict != record.Regression || !g.NoAnswer {
		t.Errorf("gate %+v; want a regression", g)
	}
}

// TestPairsWithoutAnAnswerRankLargest: few of them move the bounds as any slow pairs would,
// and pairs in which neither arm answers are ties.
func TestPairsWithoutAnAnswerRankLargest(t *testing.T) {
	for _, c := range []struct {
		pairs int
		want  string
	}{{0, record.Pass}, {2, record.Pass}, {8, record.Inconclusive}, {18, record.Regression}} {
		m := made{pairs: 20, arms: []string{"base", "candidate"}, values: unanswered(inSome("candidate", c.pairs))}
		g, _ := judgeOne(t, m, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")})
		if g.Verdict != c.want {
			t.Errorf("no answer in %d of 20 pairs: %s, want %s: %+v", c.pairs, g.Verdict, c.want, g)
		}
	}
	both := func(pair int, arm string) int64 {
		if pair < 4 {
			return 1000
		}
		return 0
	}
	m := made{pairs: 20, arms: []string{"base", "candidate"}, values: unanswered(both)}
	if g, _ := judgeOne(t, m, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}); g.Verdict != record.Pass {
		t.Errorf("neither answers in 4 of 20 pairs: %+v, want a pass", g)
	}
}

// TestFailingMoreImprovesNoBound: neither bound of a change falls when the
// candidate fails in more pairs.
func TestFailingMoreImprovesNoBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Float64Range(1e-6, 1), 6, 24).Draw(t, "candidate")
		rules := Rules{Arms: []string{"base", "candidate"}}
		change := func(values []float64) record.Change {
			m := made{pairs: len(values), arms: rules.Arms, values: func(pair int, arm string) []record.Value {
				v := record.Value{Metric: "ttfb.p50", Value: 1e-3, N: 1000}
				if arm == "candidate" {
					v.Value = values[pair]
				}
				return []record.Value{v}
			}}
			s, err := Summarise(m.run(), rules)
			if err != nil {
				t.Fatal(err)
			}
			c := s.Metrics[0].Change["candidate"]
			if c.NoAnswer != "" {
				c.Ratio, c.Low, c.High = math.Inf(1), math.Inf(1), math.Inf(1)
			}
			return c
		}
		before := change(d)
		for i := range d {
			if rapid.Bool().Draw(t, "fails") {
				d[i] = math.Inf(1)
			}
		}
		after := change(d)
		if after.Ratio < before.Ratio || after.Low < before.Low || after.High < before.High {
			t.Fatalf("%+v became %+v by failing", before, after)
		}
	})
}

// TestGateIsRefusedForAFailingBaseline: from (1 − q)/2 on, with the figures. The
// gate alone is refused: a regression beside it stands.
func TestGateIsRefusedForAFailingBaseline(t *testing.T) {
	baseline := func(n int64) made {
		return made{pairs: 20, arms: []string{"base", "candidate"}, values: unanswered(func(_ int, arm string) int64 {
			if arm == "base" {
				return n
			}
			return 0
		})}
	}
	bound := Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}
	if g, _ := judgeOne(t, baseline(249), bound); g.Verdict != record.Pass {
		t.Errorf("24.9 %% failed: %+v, want a pass", g)
	}
	g, s := judgeOne(t, baseline(250), bound)
	const want = "the baseline base failed 5000 of 20000 requests, 25 %: from 25 % on its ttfb.p50 can't be compared with"
	if g.Verdict != record.Invalid || g.Reason != want || s.Verdict != record.Invalid || s.Validity.OK {
		t.Errorf("25 %% failed: gate %+v, verdict %s", g, s.Verdict)
	}
	run, rules := baseline(250).run(), Rules{Arms: []string{"base", "candidate"}, BaselineErrors: 1, Bounds: []Bound{bound, {Metric: "edge.cpu", MaxRegression: amount(t, "5%")}}}
	for i, b := range run.Blocks {
		run.Blocks[i].Metrics = append(b.Metrics, two("edge.cpu", 1e-3, 2e-3)(b.Pair, b.Arm)[1])
	}
	s, err := Summarise(run, rules)
	if err != nil || s.Verdict != record.Regression || s.Gates[0].Verdict != record.Invalid {
		t.Errorf("verdict %s of %+v, %v; want the regression of edge.cpu beside the refused gate", s.Verdict, s.Gates, err)
	}
}

// TestNoNumberIsLostToInfinity judges random failures of both arms with every kind
// of bound: no bound and no p is NaN.
func TestNoNumberIsLostToInfinity(t *testing.T) {
	bounds := []Bound{{MaxRegression: amount(t, "5%")}, {MaxIncrease: amount(t, "1ms")}, {Max: amount(t, "1ms")},
		{MinImprovement: amount(t, "5%")}, {MaxRegression: amount(t, "5%"), Floor: amount(t, "1ms")}}
	rapid.Check(t, func(t *rapid.T) {
		failed := map[string]int64{}
		every := rapid.IntRange(1, 3).Draw(t, "pairs a launch")
		m := made{pairs: 24, every: every, arms: []string{"base", "candidate"}, values: unanswered(func(pair int, arm string) int64 {
			key := fmt.Sprint(pair, arm)
			if _, known := failed[key]; !known {
				failed[key] = 1000 * int64(rapid.IntRange(0, 4).Draw(t, key)/4)
			}
			return failed[key]
		})}
		for _, b := range bounds {
			b.Metric = "ttfb.p50"
			s, err := Summarise(m.run(), Rules{Arms: m.arms, Bounds: []Bound{b}})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range s.Gates {
				if math.IsNaN(g.Lower) || math.IsNaN(g.Upper) || math.IsNaN(g.P) || math.IsNaN(g.MDE) {
					t.Fatalf("%+v", g)
				}
			}
			for _, c := range s.Metrics {
				if c := c.Change["candidate"]; math.IsNaN(c.Ratio+c.P+c.Diff) || math.IsNaN(c.Low) || math.IsNaN(c.High) {
					t.Fatalf("%+v", c)
				}
			}
		}
	})
}
