package report

import (
	"slices"
	"strings"
	"testing"

	"switchback/results/metric"
	"switchback/results/record"
)

// TestStepsAreInOrderOfTime: a step that another arm is flipped to at once stands
// where the stepped arm comes to it; the alphabet and the numbers don't matter.
func TestStepsAreInOrderOfTime(t *testing.T) {
	var r Run
	begin := func(arm, step string, at float64) {
		r.Decisions = append(r.Decisions, record.Decision{Arm: arm, Step: step, At: at, Action: record.Begin})
		r.Summary.Metrics = append(r.Summary.Metrics, record.Metric{Name: metric.OriginRequests, Group: "step=" + step})
	}
	begin("at-once", "before", 0)
	begin("at-once", "100", 15)
	for i, step := range []string{"before", "1-ams", "5-ams", "25", "100"} {
		begin("stepped", step, float64(15*i))
	}
	if got, want := r.Groups("step"), []string{"step=before", "step=1-ams", "step=5-ams", "step=25", "step=100"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRolloutNotes: a step says that it was too short to pay its bill, unless
// chance explains what is missing; evictions are taken off or named.
func TestRolloutNotes(t *testing.T) {
	step := func(name string, expected float64, requests, extra int) []record.Decision {
		begin := record.Decision{Arm: "a", Step: name, Action: record.Begin, Expected: &expected}
		if name == "before" {
			begin.Expected = nil
		}
		return []record.Decision{begin, {Arm: "a", Step: name, Action: "advance", Window: 1, Requests: requests, Extra: extra}}
	}
	for name, c := range map[string]struct {
		decisions []record.Decision
		want      string
		again     string // of the last step
	}{
		"unpaid":    {slices.Concat(step("before", 0, 1000, 0), step("100", 376, 1000, 132)), "too short to pay its bill, and what is open falls on what follows: step 100 (132 of 376)", "132"},
		"paid":      {slices.Concat(step("before", 0, 1000, 0), step("100", 376, 1000, 340)), "", "340"},
		"chance":    {slices.Concat(step("before", 0, 1000, 0), step("100", 14, 1000, 6)), "", "6"},
		"evictions": {slices.Concat(step("before", 0, 1000, 50), step("100", 300, 2000, 390)), "evictions at the rate of the time before, 50.0 in 1,000 requests, are taken off “again”", "290"},
		"router":    {slices.Concat(step("before", 0, 1000, 54), step("50", 0, 1000, 790)), "the rollout moves no key, so it asks nothing again; “evicted” are objects that caches had pushed out", "790"},
	} {
		steps := Run{Decisions: c.decisions}.RolloutSteps("a")
		if got := strings.Join(RolloutNotes(steps), "; "); got != c.want {
			t.Errorf("%s: notes %q, want %q", name, got, c.want)
		}
		if got := steps[len(steps)-1].Figures()[4]; got != c.again {
			t.Errorf("%s: again %s, want %s", name, got, c.again)
		}
		if column := RolloutColumns(steps)[4]; (column == "evicted") != (name == "router") {
			t.Errorf("%s: the column is called %s", name, column)
		}
	}
}

// TestRolloutSentences: the headline of each shipped kind of rollout is about the
// rollout, also without its log.
func TestRolloutSentences(t *testing.T) {
	number := func(name, group string, v float64) record.Metric {
		return record.Metric{Name: name, Group: group, Arms: map[string]float64{"a": v}}
	}
	extra, peak, errors := number(metric.RolloutExtraOrigin, "", 1029), number(metric.RolloutPeakOrigin, "", 229), number(metric.ErrorsRatio, "", 0)
	share := number(metric.RolloutShare, "step=100", 0.968)
	for name, c := range map[string]struct {
		metrics []record.Metric
		want    string
	}{
		"ring": {[]record.Metric{extra, number(metric.RolloutExpectedOrigin, "", 1060), peak, errors, share},
			"a: moved up to 96.8 % of the requests to the new version; the origin was asked again 1,029 times for what caches had held (1,060 by formula), at worst 229 in a second; 0 % errors"},
		"by request": {[]record.Metric{extra, peak, errors, share},
			"a: moved up to 96.8 % of the requests to the new version; the origin was asked again 1,029 times for what caches had held, at worst 229 in a second; 0 % errors"},
		"router": {[]record.Metric{extra, number(metric.RolloutExpectedOrigin, "", 0), peak, errors, share},
			"a: moved up to 96.8 % of the requests to the new version; no key moves, so nothing was asked again because of it; 0 % errors"},
		"node loss": {[]record.Metric{extra, number(metric.RolloutExpectedOrigin, "", 1060), peak, errors},
			"a: the origin was asked again 1,029 times for what caches had held (1,060 by formula), at worst 229 in a second; 0 % errors"},
	} {
		r := Run{Summary: record.Summary{Arms: []string{"a"}, Baseline: "a", Metrics: c.metrics}}
		if got := strings.Join(r.Sentences(), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
