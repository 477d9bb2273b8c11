package report

import (
	"strings"
	"testing"

	"switchback/results/record"
)

// scaleRun is a sweep over one numeric axis, with growth.
func scaleRun() Run {
	r := routingRun()
	r.Summary.Experiment, r.Blocks, r.Summary.Gates = "routing-scale", nil, nil
	r.Summary.Metrics = []record.Metric{
		measured("ttfb.mean", "sweep=deployments=10", "s", 0.0003, 0.000076, change(0.253, 0.21, 0.29)),
		measured("ttfb.mean", "sweep=deployments=10,position=first", "s", 0.00026, 0.000075, change(0.288, 0.25, 0.31)),
		measured("ttfb.mean", "sweep=deployments=10,size=10", "s", 0.0003, 0.000076, change(0.253, 0.21, 0.29)),
		measured("edge.cpu", "sweep=deployments=10", "s/request", 0.0003, 0.0001, change(0.33, 0.3, 0.36)),
		measured("ttfb.mean", "sweep=deployments=50000", "s", 0.836, 0.000095, change(0.000114, 0.0001, 0.00012)),
		measured("ttfb.mean", "sweep=deployments=50000,position=unknown", "s", 0.91, 0.0001, record.Change{}),
	}
	r.Summary.Growth = []record.Growth{
		{Metric: "ttfb.mean", Arm: "legacy", Axis: "deployments", Exponent: 0.942, Low: 0.928, High: 0.956, N: 50},
		{Metric: "ttfb.mean", Group: "position=first", Arm: "legacy", Axis: "deployments", Exponent: 0.93, Low: 0.91, High: 0.95, N: 50},
		{Metric: "ttfb.mean", Group: "cache=hit", Arm: "legacy", Axis: "deployments", Exponent: 0.5, Low: 0.4, High: 0.6, N: 50},
		{Metric: "phase.route.mean", Arm: "legacy", Axis: "deployments", At: "lru=64MiB", Exponent: 0.996, Low: 0.99, High: 1.002, N: 50},
		{Metric: "ttfb.mean", Arm: "hashed", Axis: "deployments", Exponent: 0.035, Low: -0.02, High: 0.049, N: 50},
		{Metric: "phase.route.mean", Arm: "hashed", Axis: "deployments", At: "lru=64MiB", Exponent: 0.06, Low: 0.032, High: 0.088, N: 50},
	}
	return r
}

func TestCellsGolden(t *testing.T) {
	golden(t, "cells.txt", text(t, scaleRun(), TextOptions{}))
	golden(t, "cells-50.txt", text(t, scaleRun(), TextOptions{Width: 50}))
}

// A cell with a name longer than its column keeps it; hostile names are made harmless.
func TestCellsOfAnyName(t *testing.T) {
	for _, name := range []string{"a", "deployments=100000,lru=256MiB,connections=64", "evil\x1b[2J" + strings.Repeat("x", 200), strings.Repeat("ä", 20), strings.Repeat("ä", 22)} {
		r := scaleRun()
		for i := range r.Summary.Metrics {
			r.Summary.Metrics[i].Group = strings.Replace(r.Summary.Metrics[i].Group, "deployments=10,", name+",", 1)
			if r.Summary.Metrics[i].Group == "sweep=deployments=10" {
				r.Summary.Metrics[i].Group = "sweep=" + name
			}
		}
		got := text(t, r, TextOptions{})
		if strings.Contains(got, "\x1b") || len(name) < 60 && !strings.Contains(got, strings.TrimSpace(name)) && !strings.Contains(got, name[:20]) {
			t.Errorf("cell %q is shown as\n%s", name, got)
		}
	}
}

// The median leads where every cell has one, else the mean.
func TestLeadingMetric(t *testing.T) {
	r := scaleRun()
	if got := r.leading(r.cells()); got != "ttfb.mean" {
		t.Errorf("leading metric %s without medians", got)
	}
	for _, cell := range r.cells() {
		r.Summary.Metrics = append(r.Summary.Metrics, measured("ttfb.p50", cell, "s", 1, 2, change(2, 1.9, 2.1)))
	}
	if got := r.leading(r.cells()); got != "ttfb.p50" || len(r.cells()) != 2 {
		t.Errorf("leading metric %s of cells %v", got, r.cells())
	}
}

// TestGatedStatisticsAreShown: a sweep shows each statistic that a gate is about,
// beside the leading one.
func TestGatedStatisticsAreShown(t *testing.T) {
	r := scaleRun()
	for _, cell := range r.cells() {
		r.Summary.Metrics = append(r.Summary.Metrics, measured("ttfb.p50", cell, "s", 1, 2, change(2, 1.9, 2.1)), measured("ttfb.p99", cell, "s", 3, 4, change(1.3, 1.2, 1.4)))
	}
	r.Summary.Gates = []record.Gate{{Metric: "ttfb.p99", Group: r.cells()[0], Arm: "hashed", Verdict: record.Regression, Line: 9}, {Metric: "errors.ratio", Arm: "hashed"}}
	got := text(t, r, TextOptions{})
	if !strings.Contains(got, "\nTTFB p50\n") || !strings.Contains(got, "\nTTFB p99\n") || strings.Contains(got, "\nerrors\n") {
		t.Errorf("the gated statistic is missing:\n%s", got)
	}
}
