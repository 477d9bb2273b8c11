package report

import (
	"strings"
	"testing"

	"switchback/results/record"
)

// secondRun is routingRun made again, a little slower, on another machine.
func secondRun() Run {
	run := routingRun()
	run.Summary.Run, run.Summary.Seed = "20261201T010203Z-pages-routing-91c0", 2
	run.Manifest.MachineKind.CPUs = 8
	for i, m := range run.Summary.Metrics {
		arms := map[string]float64{}
		for arm, v := range m.Arms {
			arms[arm] = v * 1.1
		}
		run.Summary.Metrics[i].Arms = arms
	}
	return run
}

func TestCompareGolden(t *testing.T) {
	for name, runs := range map[string][]Run{
		"compare.txt":      {routingRun(), secondRun()},
		"compare-five.txt": {routingRun(), secondRun(), sameRun(), invalidRun(), singleRun()},
		"compare-evil.txt": {hostileRun(), secondRun()},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := Compare(runs).Text(&b, TextOptions{}); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.String())
		})
	}
}

func TestCompareSaysWhatIsNotTheSame(t *testing.T) {
	if w := Compare([]Run{routingRun(), routingRun()}).Warnings; w != nil {
		t.Errorf("two equal runs: %q", w)
	}
	if got := strings.Join(Compare([]Run{routingRun(), secondRun()}).Warnings, "; "); got != "the runs have different kinds of machine" {
		t.Errorf("warnings %q", got)
	}
}

func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		v, first float64
		unit     string
		want     string
	}{
		{0.11, 0.1, "s", "+10.0 %"}, {0.3, 0.1, "s", "×3.00"}, {0.1, 0.3, "s", "÷3.00"},
		{0.5, 0.4, "ratio", "+10.0 pt"}, {3, 0, "1/1000", "+3.00"}, {0, 0, "count", "0"},
	} {
		if got := against(c.v, c.first, c.unit); got != c.want {
			t.Errorf("against(%v, %v, %q) = %q, want %q", c.v, c.first, c.unit, got, c.want)
		}
	}
}

func TestSentences(t *testing.T) {
	gated := func(metric, group string, c record.Change) Run {
		return Run{Summary: record.Summary{Baseline: "legacy", Arms: []string{"legacy", "hashed"}, Confidence: 0.95,
			Metrics: []record.Metric{{Name: metric, Group: group, Unit: "s", Arms: map[string]float64{"legacy": 0.002, "hashed": 0.001}, Change: map[string]record.Change{"hashed": c}}},
			Gates:   []record.Gate{{Metric: metric, Group: group, Arm: "hashed", Bound: "max_regression 5%"}}}}
	}
	for want, run := range map[string]Run{
		"hashed answers 128 times faster than legacy at the median for projects of 10,000 deployments; interval 118–141":               routingRun(),
		"hashed answers 3.20 times slower than legacy at the 99th percentile; interval 2.90–4.00":                                      gated("ttfb.p99", "", change(3.2, 2.9, 4)),
		"hashed answers in 17.2 % less time than legacy at the median; interval 15.1–19.0 %":                                           gated("ttfb.p50", "", change(0.828, 0.81, 0.849)),
		"hashed answers in 10.0 % more time than legacy on average; interval 8.00–12.0 %":                                              gated("ttfb.mean", "", change(1.1, 1.08, 1.12)),
		"hashed and legacy can't be told apart in time to first byte at the median where the cache says hit; interval -2.00 … +2.00 %": gated("ttfb.p50", "cache=hit", change(1, 0.98, 1.02)),
		"hashed uses 20.0 times less CPU per request than legacy; interval 10.0–40.0":                                                  gated("edge.cpu", "", change(0.05, 0.025, 0.1)),
		"hashed uses 30.0 % more memory than legacy; interval 20.0–40.0 %":                                                             gated("edge.memory.peak", "", change(1.3, 1.2, 1.4)),
		"time to first byte at the median is 1.00 ms with hashed and 2.00 ms with legacy, without an interval":                         gated("ttfb.p50", "", record.Change{Ratio: 0.5, High: inf()}),
	} {
		got := run.Sentences()
		if len(got) != 1 || got[0] != want {
			t.Errorf("sentences %q, want %q", got, want)
		}
	}
}
