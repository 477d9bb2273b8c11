package gate

import (
	"strings"
	"testing"

	"switchback/results/metric"
	"switchback/results/units"
)

func TestBoundsAreChecked(t *testing.T) {
	a := func(text string) *units.Amount { return amount(t, text) }
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

// Every metric of the table can be gated.
func TestEveryMetricCanBeGated(t *testing.T) {
	for _, name := range metric.Names() {
		b := Bound{Metric: name, MaxRegression: amount(t, "5%")}
		if err := b.Validate(); err != nil {
			t.Errorf("metric %s can't be gated: %v", name, err)
		}
	}
}
