package gate

import (
	"math"
	"strings"
	"testing"
)

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]float64{
		"5%": 0.05, "0.1%": 0.001, "0.01": 0.01, "50us": 50e-6, "50µs": 50e-6, "1.5 ms": 1.5e-3, "2s": 2, "1m": 60, "7ns": 7e-9,
		"64MiB": 64 << 20, "1GiB": 1 << 30, "10kB": 10_000, "3B": 3, "1e3": 1000, "-2": -2, " 4 ": 4,
	} {
		a, err := ParseAmount(text)
		if err != nil || a.Value != want || a.Text != strings.TrimSpace(text) {
			t.Errorf("ParseAmount(%q) = %+v, %v; want %v", text, a, err, want)
		}
	}
	for _, text := range []string{"", "%", "five", "5 apples", "NaN", "Inf", "1e999", "0x10", "1_000", "5%%", strings.Repeat("1", 60)} {
		if a, err := ParseAmount(text); err == nil {
			t.Errorf("ParseAmount(%q) = %+v, want an error", text, a)
		}
	}
}

func FuzzParseAmount(f *testing.F) {
	for _, text := range []string{"5%", "50us", "64MiB", "-1e3 s", "µ", "\xffs"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAmount(text)
		if err != nil {
			return
		}
		if math.IsNaN(a.Value) || math.IsInf(a.Value, 0) {
			t.Fatalf("ParseAmount(%q) = %v", text, a.Value)
		}
		written, err := a.MarshalText()
		var back Amount
		if err != nil || back.UnmarshalText(written) != nil || back != a {
			t.Fatalf("%q reads as %+v, is written %q and read as %+v", text, a, written, back)
		}
	})
}

func TestBoundsAreChecked(t *testing.T) {
	a := func(text string) *Amount { return amount(t, text) }
	for _, c := range []struct {
		bound Bound
		say   string // "": good
	}{
		{Bound{Metric: "ttfb.p50", MaxRegression: a("5%")}, ""},
		{Bound{Metric: "edge.memory.peak", MaxIncrease: a("1MiB"), Floor: a("1kB")}, ""},
		{Bound{Metric: "edge.cpu", Max: a("50us")}, ""},
		{Bound{MaxRegression: a("5%")}, "without a metric"},
		{Bound{Metric: "ttfb.p51", MaxRegression: a("5%")}, "unknown metric"},
		{Bound{Metric: "ttfb.p50"}, "exactly one of"},
		{Bound{Metric: "ttfb.p50", Max: a("1s"), Min: a("0s")}, "exactly one of"},
		{Bound{Metric: "ttfb.p50", MaxRegression: a("5ms")}, "share of the baseline"},
		{Bound{Metric: "ttfb.p50", MaxRegression: a("-5%")}, "out of range"},
		{Bound{Metric: "ttfb.p50", MinImprovement: a("100%")}, "out of range"},
		{Bound{Metric: "ttfb.p50", Max: a("5MiB")}, "the metric is in s"},
		{Bound{Metric: "ttfb.p50", Max: a("-1s")}, "below zero"},
		{Bound{Metric: "ttfb.p50", MaxRegression: a("5%"), Floor: a("1MiB")}, "the metric is in s"},
		{Bound{Metric: "ttfb.p50", Max: a("1s"), Floor: a("1ms")}, "a floor belongs to"},
		{Bound{Metric: "ttfb.p50", MaxRegression: a("5%"), Alpha: 0.7}, "alpha"},
	} {
		err := c.bound.Validate()
		if (err == nil) != (c.say == "") || err != nil && !strings.Contains(err.Error(), c.say) {
			t.Errorf("%+v: %v, want %q", c.bound, err, c.say)
		}
	}
}

func TestBoundText(t *testing.T) {
	b := Bound{Metric: "ttfb.p50", MaxRegression: amount(t, "5%"), Floor: amount(t, "50us")}
	if got := b.String(); got != "max_regression 5%, floor 50us" {
		t.Errorf("bound %q", got)
	}
}

// Every metric of the catalogue can be gated, and says how it is compared.
func TestMetricCatalogue(t *testing.T) {
	names := MetricNames()
	if len(names) < 14+7*7 {
		t.Errorf("%d metric names: %v", len(names), names)
	}
	for _, name := range names {
		m, ok := MetricInfo(name)
		if !ok || m.Name != name || m.Unit == "" {
			t.Errorf("metric %s: %+v, %v", name, m, ok)
		}
		b := Bound{Metric: name, MaxRegression: amount(t, "5%")}
		if err := b.Validate(); err != nil {
			t.Errorf("metric %s can't be gated: %v", name, err)
		}
	}
	for name, want := range map[string]Metric{
		"ttfb.p50":         {Unit: "s", Kind: Ratio, LowerBetter: true, Quantile: 0.5},
		"phase.route.p999": {Unit: "s", Kind: Diff, LowerBetter: true, Quantile: 0.999},
		"latency.mean":     {Unit: "s", Kind: Ratio, LowerBetter: true},
		"cache.hit_ratio":  {Unit: "ratio", Kind: Diff},
		"edge.startup":     {Unit: "s", Kind: Ratio, LowerBetter: true, PerLaunch: true},
	} {
		want.Name = name
		if m, ok := MetricInfo(name); !ok || m != want {
			t.Errorf("metric %s: %+v, want %+v", name, m, want)
		}
	}
	for _, name := range []string{"", "ttfb", "ttfb.", ".p50", "phase.p50", "phase..p50", "nonsense.p50", "ttfb.p42"} {
		if m, ok := MetricInfo(name); ok {
			t.Errorf("metric %q: %+v", name, m)
		}
	}
}
