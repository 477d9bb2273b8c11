package gate

import (
	"strings"
	"testing"

	"switchback/results/record"
)

// disturbed marks the blocks of some pairs as noisy, in which everything takes
// many times as long.
func disturbed(run *Run, arm string, pairs ...int) {
	for _, pair := range pairs {
		for i := range run.Blocks {
			if b := &run.Blocks[i]; b.Pair == pair && b.Arm == arm {
				b.Generator.Steal = 0.3
				b.Metrics[0].Value *= 40
			}
		}
	}
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// Noisy pairs are set aside while enough others are left; else all are tested,
// and only a regression is believed.
func TestNoisyPairs(t *testing.T) {
	for _, c := range []struct {
		name      string
		candidate float64
		arm       string
		noisy     int // of 20 pairs; one gate and that of the errors need 8
		bound     Bound
		verdict   string
		valid     bool
		say       string // in the gate's reason or the notes
	}{
		{"equal, candidate disturbed", 1e-3, "candidate", 12, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}, record.Pass, true, "set aside: 12 pairs with a noisy block; 8 pairs without decide"},
		{"slower, baseline disturbed", 1.2e-3, "base", 12, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}, record.Regression, true, "set aside: 12 pairs"},
		{"equal, too few left", 1e-3, "base", 13, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}, record.Invalid, false, "without noise: 7 pairs, alpha needs 8"},
		{"slower, too few left", 1.2e-3, "candidate", 13, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}, record.Regression, false, "slower, on a noisy machine; its size is not proven"},
		{"own value within, disturbed", 1e-3, "candidate", 12, Bound{Metric: "ttfb.p50", Max: amount(t, "2ms")}, record.Pass, true, "set aside"},
		{"own value above, too few left", 3e-3, "candidate", 13, Bound{Metric: "ttfb.p50", Max: amount(t, "2ms")}, record.Invalid, false, "the machine was too noisy to tell"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.bound.Arm = "candidate"
			m := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, c.candidate)}
			g, s := judgeOne(t, m, c.bound, func(run *Run, _ *Rules) { disturbed(run, c.arm, upTo(c.noisy)...) })
			if s.Verdict != c.verdict || g.Verdict != c.verdict || s.Validity.OK != c.valid {
				t.Errorf("verdict %s, gate %s, valid %v; want %s, %v: %+v", s.Verdict, g.Verdict, s.Validity.OK, c.verdict, c.valid, s)
			}
			if said := g.Reason + "\n" + strings.Join(s.Validity.Notes, "\n"); !strings.Contains(said, c.say) {
				t.Errorf("it says %q, not %q", said, c.say)
			}
		})
	}
}

// What is set aside does not depend on which arm's block was the noisy one:
// that keeps the coins of the others fair.
func TestSettingAsideIsSymmetric(t *testing.T) {
	of := func(arm string) record.Summary {
		run := made{pairs: 20, arms: both(), values: noisy(1.03)}.run()
		for i := range run.Blocks {
			if b := &run.Blocks[i]; b.Pair%3 == 0 && b.Arm == arm {
				b.Generator.Foreign = 0.06
			}
		}
		s, err := Summarise(run, Rules{Arms: both()})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	base, candidate := of("base").Metrics[0].Change["candidate"], of("candidate").Metrics[0].Change["candidate"]
	if base != candidate || base.Pairs != 13 {
		t.Errorf("%+v with the baseline disturbed, %+v with the candidate; want the same of 13 pairs", base, candidate)
	}
}

// Noise that comes with an arm may be its own work.
func TestNoiseThatFollowsAnArm(t *testing.T) {
	for _, c := range []struct {
		arm string
		by  float64
		say bool
	}{{"candidate", 0.03, true}, {"base", 0.03, true}, {"candidate", 0.003, false}} {
		_, s := judgeOne(t, made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}, Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")},
			func(run *Run, _ *Rules) {
				for i := range run.Blocks {
					if run.Blocks[i].Arm == c.arm {
						run.Blocks[i].Generator.Foreign = c.by
					}
				}
			})
		want := "is a process of " + c.arm + " outside its tree?"
		if got := strings.Contains(strings.Join(s.Validity.Notes, "\n"), want); got != c.say {
			t.Errorf("%s by %v: said %v: %q", c.arm, c.by, got, s.Validity.Notes)
		}
	}
}
