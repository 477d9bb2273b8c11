package gate

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestUnitsNeeded(t *testing.T) {
	for _, c := range []struct {
		gates int
		alpha float64
		want  int
	}{{1, 0.05, 7}, {1, 0.01, 9}, {4, 0.05, 9}, {8, 0.01 / 8, 15}, {1, 0.5, 3}} {
		if got := UnitsNeeded(c.gates, c.alpha); got != c.want {
			t.Errorf("%d gates at %v: %d units, want %d", c.gates, c.alpha, got, c.want)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		q    float64
		n    int
		want bool
	}{{0.5, 10, true}, {0.5, 9, false}, {0.9, 50, true}, {0.99, 500, true}, {0.99, 499, false}, {0, 1, true}, {0, 0, false}, {1, 1 << 30, false}} {
		if got := Holds(c.q, c.n); got != c.want {
			t.Errorf("Holds(%v, %d) = %v", c.q, c.n, got)
		}
		if c.q < 1 && !Holds(c.q, RequestsNeeded(c.q)) || c.q > 0 && c.q < 1 && Holds(c.q, RequestsNeeded(c.q)-1) {
			t.Errorf("quantile %v needs %d requests, not the least that hold it", c.q, RequestsNeeded(c.q))
		}
	}
}

func TestDesignIsRefused(t *testing.T) {
	p99 := Bound{Metric: "ttfb.p99", MaxRegression: amount(t, "5%"), Line: 9}
	good := Design{Rules: Rules{Arms: both(), Bounds: []Bound{p99}, Pairs: 12, Launches: 12}, Requests: map[string]int{"": 500, "size=10": 40}}
	if err := good.Check(); err != nil {
		t.Fatalf("a good design is refused: %v", err)
	}
	for _, c := range []struct {
		name         string
		change       func(*Design)
		needed, line int
		say          string
	}{
		{"too few requests", func(d *Design) { d.Requests[""] = 499 }, 500, 9, "500 would"},
		{"a small group", func(d *Design) { d.Bounds[0].Group = "size=10" }, 500, 9, "40 requests of size=10"},
		{"a group of no fixed number", func(d *Design) { d.Bounds[0].Group = "cache=hit" }, 0, 9, "per_block"},
		{"a maximum", func(d *Design) { d.Bounds[0].Metric = "ttfb.max" }, 0, 9, "no block holds a maximum"},
		{"memory of servers that run already", func(d *Design) {
			d.OneProcess = true
			d.Bounds[0] = Bound{Metric: "edge.memory.peak", MaxRegression: amount(t, "5%"), Line: 9}
		}, 0, 9, "not started by the run"},
		{"too few pairs", func(d *Design) { d.Pairs = 7 }, 8, 0, "8 would"},
		{"too few launches", func(d *Design) { d.Launches = 3 }, 8, 0, "3 launches"},
		{"too few pairs for the first look", func(d *Design) { d.Pairs, d.Looks = 9, 2 }, 10, 0, "10 would"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := good
			d.Bounds, d.Requests = []Bound{p99}, map[string]int{"": 500, "size=10": 40}
			c.change(&d)
			var refused *DesignError
			if err := d.Check(); !errors.As(err, &refused) || refused.Needed != c.needed || refused.Line != c.line || !strings.Contains(err.Error(), c.say) {
				t.Errorf("error %v (%+v), want %d, line %d and %q", err, refused, c.needed, c.line, c.say)
			}
		})
	}
	malformed := good
	malformed.Bounds = []Bound{{Metric: "ttfb.p99"}}
	if err := malformed.Check(); err == nil {
		t.Error("a bound without a limit passes the check")
	}
	good.Pairs, good.ReportOnly = 1, true
	if err := good.Check(); err != nil {
		t.Errorf("gates that are not judged are refused: %v", err)
	}
}

func budget(t *testing.T) Budget {
	t.Helper()
	return Budget{Rules: Rules{Arms: both(), Bounds: []Bound{{Metric: "ttfb.p90", MaxRegression: amount(t, "0%")}}},
		Seconds: 60, Rate: 500, Guard: 0.02}
}

func TestChooseDesign(t *testing.T) {
	b := budget(t)
	c, err := ChooseDesign(b)
	if err != nil {
		t.Fatal(err)
	}
	// p90 needs 50 requests: 0.1 s; ten guards are 0.2 s.
	if c.Length != 0.2 || c.LaunchEvery != 1 || c.Launches != c.Pairs || c.Seconds > 60 || c.Seconds < 58 {
		t.Errorf("choice %+v", c)
	}
	b.Bounds[0].Metric = "ttfb.p99"
	if c, err = ChooseDesign(b); err != nil || c.Length != 1 {
		t.Errorf("p99 at 500/s needs blocks of 1 s: %+v %v", c, err)
	}
	b.Startup = 1
	if c, err = ChooseDesign(b); err != nil || c.LaunchEvery < 2 || c.Launches < UnitsNeeded(2, 0.05) || c.Seconds > 60 {
		t.Errorf("a slow start is spread over several pairs, alpha is still reached: %+v %v", c, err)
	}
	b.Seconds = 10
	var refused *DesignError
	if _, err = ChooseDesign(b); !errors.As(err, &refused) || refused.Needed <= 10 {
		t.Fatalf("10 s: %v", err)
	}
	b.Seconds = float64(refused.Needed)
	if c, err = ChooseDesign(b); err != nil || c.Pairs < UnitsNeeded(2, 0.05) {
		t.Errorf("the %v s that would do: %+v %v", b.Seconds, c, err)
	}
}

func TestChooseDesignFromACalibration(t *testing.T) {
	b := budget(t)
	usual, _ := ChooseDesign(b)
	b.Calibration = &Calibration{Length: 0.2, Metrics: []CalibratedMetric{{Metric: "ttfb.p90", Sigma: 0.02}}}
	quiet, err := ChooseDesign(b)
	if err != nil || !quiet.Visible[0].Calibrated || quiet.Visible[0].MDE >= usual.Visible[0].MDE {
		t.Errorf("calibrated %+v, usual %+v, %v", quiet.Visible, usual.Visible, err)
	}
	var out bytes.Buffer
	if err := quiet.Print(&out); err != nil {
		t.Fatal(err)
	}
	golden(t, "design.txt", out.Bytes())
}
