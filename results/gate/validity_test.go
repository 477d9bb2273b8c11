package gate

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"switchback/results/record"
)

// failing makes n of 1,000 requests of the baseline fail in a group.
func failing(group string, n int) func(*record.Block) {
	return func(b *record.Block) {
		if b.Arm != "base" {
			return
		}
		b.Metrics = append([]record.Value{{Metric: "errors.ratio", Group: group, Value: float64(n) / 1000, N: 1000}},
			slices.DeleteFunc(b.Metrics, func(v record.Value) bool { return v.Metric == "errors.ratio" && v.Group == group })...)
		b.Errors, b.Codes = map[string]int{"status": n}, record.Codes{"200": 1000 - n, "403": n}
	}
}

// Every rule of validity, broken and just kept.
func TestValidity(t *testing.T) {
	each := func(change func(*record.Block)) func(*Run) {
		return func(run *Run) {
			for i := range run.Blocks {
				change(&run.Blocks[i])
			}
		}
	}
	some := func(every int, change func(*record.Block)) func(*Run) {
		return func(run *Run) {
			for i := range run.Blocks {
				if run.Blocks[i].Pair%every == 0 && run.Blocks[i].Arm == "base" {
					change(&run.Blocks[i])
				}
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(*Run)
		say    string // "": valid
	}{
		{"nothing wrong", func(*Run) {}, ""},
		{"98 % released", each(func(b *record.Block) { b.Released = 980 }), "released 98.0 %"},
		{"99 % released", each(func(b *record.Block) { b.Released = 990 }), ""},
		{"released 2 ms late", each(func(b *record.Block) { b.Generator.LatenessP99 = 2e-3 }), "released late"},
		{"one block late", some(20, func(b *record.Block) { b.Generator.LatenessP99 = 2e-3 }), ""},
		{"generator busy", each(func(b *record.Block) { b.Generator.CPU, b.Generator.Spin = 1, 0.1 }), "without its spin"},
		{"generator spinning", each(func(b *record.Block) { b.Generator.CPU, b.Generator.Spin = 1, 0.5 }), ""},
		{"steal in half of the blocks", some(1, func(b *record.Block) { b.Generator.Steal = 0.06 }), "the hypervisor took"},
		{"steal in a quarter", some(2, func(b *record.Block) { b.Generator.Steal = 0.5 }), ""},
		{"other processes", some(1, func(b *record.Block) { b.Generator.Foreign = 0.06 }), "other processes used"},
		{"unequal due counts", some(20, func(b *record.Block) { b.Due = 999 }), "999 and 1000 requests due"},
		{"baseline saturated", some(5, func(b *record.Block) { b.Drain = 0.6 }), "saturated"},
		{"baseline slow once", some(20, func(b *record.Block) { b.Drain = 5 }), ""},
		{"no descriptor left, once", some(20, func(b *record.Block) { b.Limits = map[string]int{"too many open files": 7} }), `"too many open files", for 7 requests or starts: raise the limit of open files`},
		{"refused connections", some(20, func(b *record.Block) { b.DialErrors = map[string]int{"connection refused": 7} }), ""},
		{"a store with errors", some(20, func(b *record.Block) { b.StoreErrors = 1 }), "the routing store of base had errors in 1 block;"},
		{"1 % of the baseline's requests fail", each(failing("", 10)), ""},
		{"1.1 % of them", each(failing("", 11)), "220 of 20000 requests failed with the baseline base, more than 1%: there is nothing to compare with; its errors: status 220; its status codes: 200 19780, 403 220"},
		{"in a group that no gate has", each(failing("size=7", 11)), ""},
		{"baseline dead", some(20, func(b *record.Block) { b.Dead = true }), "the baseline base died"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}.run()
			c.change(&run)
			s, err := Summarise(run, Rules{Arms: both(), Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}}})
			if err != nil {
				t.Fatal(err)
			}
			want := record.Pass
			if c.say != "" {
				want = record.Invalid
			}
			notes := strings.Join(s.Validity.Notes, "\n")
			if s.Verdict != want || s.Validity.OK != (c.say == "") || !strings.Contains(notes, c.say) {
				t.Errorf("verdict %s, validity %+v; want %s and %q", s.Verdict, s.Validity, want, c.say)
			}
		})
	}
}

// What happens to a candidate is a result, not a reason for invalid.
func TestACandidatesTroublesAreResults(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*record.Block)
		want   string
	}{
		{"dead", func(b *record.Block) { b.Dead = b.Pair == 19 }, record.Regression},
		{"saturated", func(b *record.Block) { b.Drain = 3 }, record.Pass},
		{"failing", func(b *record.Block) { b.Metrics[0].Value = 0.01 }, record.Regression},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}.run()
			for i := range run.Blocks {
				if run.Blocks[i].Arm == "candidate" {
					c.change(&run.Blocks[i])
				}
			}
			s, err := Summarise(run, Rules{Arms: both(), Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}}})
			if err != nil || s.Verdict != c.want {
				t.Errorf("verdict %s, want %s: %+v %v", s.Verdict, c.want, s.Gates, err)
			}
		})
	}
}

// An arm that seems to have died while the generator was out of ports may have
// died of that: it is never a regression, with gates or without.
func TestAGeneratorAtItsLimitIsNeverARegression(t *testing.T) {
	for name, bounds := range map[string][]Bound{"gates": {{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}}, "no gates": nil} {
		run := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-2)}.run()
		last := &run.Blocks[len(run.Blocks)-1]
		last.Arm, last.Dead, last.Limits = "candidate", true, map[string]int{"cannot assign requested address": 1}
		s, err := Summarise(run, Rules{Arms: both(), Bounds: bounds})
		if err != nil || s.Verdict != record.Invalid || !strings.Contains(strings.Join(s.Validity.Notes, "\n"), "no local port was free") {
			t.Errorf("%s: verdict %s, validity %+v, %v", name, s.Verdict, s.Validity, err)
		}
	}
}

// Why connections to an arm could not be opened is an event, most frequent first.
func TestReasonsOfDialErrorsAreEvents(t *testing.T) {
	run := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}.run()
	for i := range run.Blocks {
		if run.Blocks[i].Arm == "candidate" {
			run.Blocks[i].DialErrors = map[string]int{"no route to host": 1, "127.0.0.1:80: connection refused": 2}
		}
	}
	s, err := Summarise(run, Rules{Arms: both()})
	want := "arm candidate: 40 connections could not be opened: 127.0.0.1:80: connection refused\n" +
		"arm candidate: 20 connections could not be opened: no route to host"
	if got := strings.Join(s.Events, "\n"); err != nil || got != want {
		t.Errorf("events %q, %v", got, err)
	}
}

// Without gates the verdict is none, unless the numbers are not to be believed;
// a short run claims nothing, and only a dead baseline makes it invalid.
func TestVerdictWithoutGates(t *testing.T) {
	run := made{pairs: 4, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}.run()
	for i := range run.Blocks {
		run.Blocks[i].Generator.Steal = 1
	}
	for short, want := range map[bool]string{true: record.None, false: record.Invalid} {
		s, err := Summarise(run, Rules{Arms: both(), Short: short})
		if err != nil || s.Verdict != want || s.Validity.OK {
			t.Errorf("short %v: verdict %s, validity %+v, %v", short, s.Verdict, s.Validity, err)
		}
	}
	run.Blocks[0].Dead = true
	if s, err := Summarise(run, Rules{Arms: both(), Short: true}); err != nil || s.Verdict != record.Invalid {
		t.Errorf("dead baseline: %s, %v", s.Verdict, err)
	}
}

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		verdict       string
		plain, strict int
	}{
		{record.Pass, 0, 0}, {record.None, 0, 0}, {record.Inconclusive, 0, 3}, {record.Invalid, 4, 4}, {record.Regression, 99, 99},
	} {
		if plain, strict := ExitCode(c.verdict, false), ExitCode(c.verdict, true); plain != c.plain || strict != c.strict {
			t.Errorf("%s: %d, strict %d", c.verdict, plain, strict)
		}
	}
}

// Failures in a gated group, which all requests together hide, make a run
// invalid; a share that the experiment allows doesn't, nor do those of a candidate.
func TestFailingBaseline(t *testing.T) {
	m := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}
	bound := Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}
	summary := func(group string, allowed float64, arms ...string) record.Summary {
		run := m.run()
		for i := range run.Blocks {
			failing(group, 20)(&run.Blocks[i])
			if group != "" { // its other values are those of all
				for _, v := range run.Blocks[i].Metrics {
					if v.Metric == "ttfb.p50" {
						v.Group = group
						run.Blocks[i].Metrics = append(run.Blocks[i].Metrics, v)
					}
				}
			}
		}
		b := bound
		b.Group = group
		s, err := Summarise(run, Rules{Arms: arms, Baseline: arms[0], Bounds: []Bound{b}, BaselineErrors: allowed})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := summary("size=10", 0, both()...)
	if s.Verdict != record.Invalid || !strings.Contains(strings.Join(s.Validity.Notes, "\n"), "400 of 20000 requests failed with the baseline base [size=10]") {
		t.Errorf("2 %% of a gated group: %s, %q", s.Verdict, s.Validity.Notes)
	}
	if s := summary("size=10", 0.02, both()...); s.Verdict != record.Pass {
		t.Errorf("2 %% where they are allowed: %s, %q", s.Verdict, s.Validity.Notes)
	}
	if s := summary("", 0, "candidate", "base"); s.Verdict != record.Regression {
		t.Errorf("2 %% with the candidate: %s, %q", s.Verdict, s.Validity.Notes)
	}
	if want := (record.Codes{"200": 19_600, "403": 400}); !maps.Equal(s.Codes["base"], want) {
		t.Errorf("codes %v, want %v", s.Codes["base"], want)
	}
}
