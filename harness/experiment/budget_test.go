package experiment

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"switchback/results/gate"
)

const budgeted = `name: x
dataset: {sizes: [10000, 100], tail: 100}
targets: {per_block: {10000: 12, 100: 240, tail: 48}}
load: {rate: 150/s}
arms:
  - {name: a, edge: {router: legacy}}
  - {name: b, edge: {router: hashed}}
blocks: {baseline: b, pairs: 12, length: 2s}
gate:
  - {metric: ttfb.p50, max_regression: 5%}
  - {metric: ttfb.p50, group: size=100, max_regression: 5%, alpha: 0.01}
`

func TestTimeBudget(t *testing.T) {
	full := parse(t, budgeted)
	e, choice, err := full.WithTimeBudget(TimeBudget{Total: time.Minute, Startup: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	length := time.Duration(e.Blocks.Length).Seconds()
	// Ten guards are 0.2 s: a tenth of the file's blocks, in whole requests 2 + 24 + 5.
	if math.Abs(length-31.0/150) > 1e-8 || e.Targets.Arrivals() != 31 || e.Load.Rate != 150 {
		t.Errorf("blocks of %v s with %d requests at %v, want 0.2067 s with 31 at 150/s", length, e.Targets.Arrivals(), e.Load.Rate)
	}
	if !gate.Holds(0.5, e.Targets.PerBlock["100"]) {
		t.Errorf("%d requests of size=100 do not hold its gated median", e.Targets.PerBlock["100"])
	}
	round := 2*(length+0.02+0.1) + 0.02
	if want := int(60 / round); e.Blocks.Pairs != want || e.Blocks.LaunchEvery != 1 || choice.Seconds > 60 {
		t.Errorf("%d pairs, a launch for every %d, %v s; want %d pairs, a launch for each, at most 60 s", e.Blocks.Pairs, e.Blocks.LaunchEvery, choice.Seconds, want)
	}
	if e.Rules().ReportOnly || len(choice.Visible) != 2 || choice.Visible[0].Calibrated {
		t.Errorf("rules %+v, visible %+v; want judged gates and two uncalibrated effects", e.Rules(), choice.Visible)
	}
	if full.Blocks.Pairs != 12 || full.Targets.Arrivals() != 300 {
		t.Errorf("the experiment itself was changed: %+v", full.Blocks)
	}
	sameBack(t, e)
}

// A slow start makes launches rarer, a calibration the visible effect known.
func TestTimeBudgetUsesWhatIsKnown(t *testing.T) {
	c := &gate.Calibration{Experiment: "aa", Length: 0.2, Metrics: []gate.CalibratedMetric{{Metric: "ttfb.p50", Sigma: 0.01}}}
	e, choice, err := parse(t, budgeted).WithTimeBudget(TimeBudget{Total: 2 * time.Minute, Startup: 200 * time.Millisecond, Calibration: c})
	if err != nil {
		t.Fatal(err)
	}
	if e.Blocks.LaunchEvery < 2 || e.Launches() < e.PairsNeeded() {
		t.Errorf("a launch for every %d pairs, %d launches; want several pairs, at least %d launches", e.Blocks.LaunchEvery, e.Launches(), e.PairsNeeded())
	}
	if v := choice.Visible[0]; !v.Calibrated || !(v.MDE > 0.05 && v.MDE < 0.06) {
		t.Errorf("visible %+v; want a calibrated effect just above the margin", v)
	}
}

func TestTimeBudgetIsRefused(t *testing.T) {
	short := TimeBudget{Total: 3 * time.Second, Startup: 20 * time.Millisecond}
	_, _, err := parse(t, budgeted).WithTimeBudget(short)
	var design *gate.DesignError
	if !errors.As(err, &design) {
		t.Fatalf("3 s: %v, want a design error", err)
	}
	if _, _, err := parse(t, budgeted).WithTimeBudget(TimeBudget{Total: time.Duration(design.Needed) * time.Second, Startup: short.Startup}); err != nil {
		t.Errorf("the %d s that would do: %v", design.Needed, err)
	}
	for want, source := range map[string]string{
		"there are none": "name: x\narms: [{name: a, edge: {}}, {name: b, edge: {}}]\n",
		"open loop":      strings.Replace(budgeted, "load: {rate: 150/s}", "load: {arrivals: concurrency}", 1),
		"one design":     budgeted + "sweep: [{key: load.timeout, values: [1s, 2s]}]\n",
	} {
		if _, _, err := parse(t, source).WithTimeBudget(TimeBudget{Total: time.Hour}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestSameArms(t *testing.T) {
	e, err := parse(t, strings.Replace(budgeted, "router: hashed", "router: hashed, lru: 3MiB, nodes: 5", 1)).SameArms(40)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Arms) != 2 || e.Arms[0].Name != "a" || e.Arms[1].Name != "b" || e.Blocks.Baseline != "a" {
		t.Fatalf("arms %+v against %s", e.Arms, e.Blocks.Baseline)
	}
	for _, a := range e.Arms {
		if a.Edge.Router != "hashed" || a.Edge.LRU != 3<<20 || a.Edge.Nodes.Count != 5 {
			t.Errorf("arm %s is %+v, want the baseline of the file", a.Name, a.Edge)
		}
	}
	if e.Blocks.Pairs != 40 || e.Blocks.LaunchEvery != 1 || len(e.Gate.Bounds) != 0 {
		t.Errorf("%+v with %d bounds; want 40 pairs with a launch each, no gates", e.Blocks, len(e.Gate.Bounds))
	}
	sameBack(t, e)
	if _, err := parse(t, budgeted+"sweep: [{key: load.timeout, values: [1s, 2s]}]\n").SameArms(40); err == nil {
		t.Error("a sweep was taken")
	}
}

func TestWithAlpha(t *testing.T) {
	e, err := parse(t, budgeted).WithAlpha(0.2)
	if err != nil {
		t.Fatal(err)
	}
	if r := e.Rules(); r.Alpha != 0.2 || r.Bounds[1].Alpha != 0 {
		t.Errorf("alpha %v, of the second bound %v; want 0.2 for all", r.Alpha, r.Bounds[1].Alpha)
	}
	if _, err := parse(t, budgeted).WithAlpha(1e-6); err == nil || !strings.Contains(err.Error(), "would") {
		t.Errorf("alpha of one in a million: %v; want the pairs that would do", err)
	}
	swept, err := parse(t, budgeted+"sweep: [{key: load.timeout, values: [1s, 2s]}]\n").WithAlpha(0.2)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := swept.Cells()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		if a := c.Experiment.Rules().Alpha; math.Abs(a-0.1) > 1e-12 {
			t.Errorf("cell %s has alpha %v, want half of 0.2", c.Name, a)
		}
	}
}
