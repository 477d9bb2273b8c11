package metric

import (
	"slices"
	"testing"
)

// TestTableIsWhole: every metric has a unit, a label, a meaning and a source,
// and is found by its name.
func TestTableIsWhole(t *testing.T) {
	names := Names()
	if len(names) < 14+7*7 || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("%d metric names: %v", len(names), names)
	}
	for _, name := range names {
		m, ok := Lookup(name)
		if !ok || m.Name != name || m.Unit == "" || m.Label == "" || m.Meaning == "" || m.Source == "" {
			t.Errorf("metric %s: %+v, %v", name, m, ok)
		}
	}
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]Metric{
		"ttfb.p50":         {Unit: "s", Kind: Ratio, LowerBetter: true, Quantile: 0.5, Label: "TTFB p50"},
		"ttfb.max":         {Unit: "s", Kind: Ratio, LowerBetter: true, Quantile: 1, Label: "TTFB max"},
		"phase.route.p999": {Unit: "s", Kind: Diff, LowerBetter: true, Quantile: 0.999, Label: "phase route p99.9"},
		"phase.a.b.mean":   {Unit: "s", Kind: Diff, LowerBetter: true, Label: "phase a.b mean"},
		"latency.mean":     {Unit: "s", Kind: Ratio, LowerBetter: true, Label: "latency mean"},
		"cache.hit_ratio":  {Unit: "ratio", Kind: Diff, Label: "cache hit ratio"},
		"edge.startup":     {Unit: "s", Kind: Ratio, LowerBetter: true, PerLaunch: true, Label: "start-up"},
		"edge.memory.peak": {Unit: "bytes", Kind: Ratio, LowerBetter: true, PerLaunch: true, Fold: ByMax, Label: "peak memory"},
	} {
		want.Name = name
		m, ok := Lookup(name)
		m.Meaning, m.Source, m.Sections = "", "", 0
		if !ok || m != want {
			t.Errorf("metric %s: %+v, want %+v", name, m, want)
		}
	}
	for _, name := range []string{"", "ttfb", "ttfb.", ".p50", "phase.p50", "phase..p50", "nonsense.p50", "ttfb.p42", "p50"} {
		if m, ok := Lookup(name); ok {
			t.Errorf("metric %q: %+v", name, m)
		}
	}
}

// TestSections: a section lists its metrics in the order of the table, and a
// metric knows its sections.
func TestSections(t *testing.T) {
	want := []string{"ttfb.mean", "service_ttfb.mean", "phase.NAME.mean", "edge.cpu", "edge.memory.peak"}
	if got := In(Growth); !slices.Equal(got, want) {
		t.Errorf("growth: %v, want %v", got, want)
	}
	if got, want := In(Calibrated), []string{"ttfb.p50", "ttfb.p90", "ttfb.p95", "ttfb.p99"}; !slices.Equal(got, want) {
		t.Errorf("calibrated: %v, want %v", got, want)
	}
	for name, grows := range map[string]bool{"phase.route.mean": true, "phase.route.p50": false, "edge.cpu": true, "latency.mean": false} {
		if m, _ := Lookup(name); m.Is(Growth) != grows {
			t.Errorf("%s grows: %v", name, m.Is(Growth))
		}
	}
}

func TestIsStatistic(t *testing.T) {
	for name, want := range map[string]bool{"ttfb.p50": true, "page.mean": true, "phase.x.max": true, "edge.cpu": false, "pages": false} {
		if IsStatistic(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
