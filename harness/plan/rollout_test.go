package plan

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"switchback/edge/rollout"
	"switchback/results/gate"
	"switchback/results/units"
)

func drawRollout(t *rapid.T) Rollout {
	r := Rollout{
		Settle: time.Duration(rapid.IntRange(0, 50).Draw(t, "settle")),
		Window: time.Duration(rapid.IntRange(0, 50).Draw(t, "window")),
	}
	for range rapid.IntRange(1, 6).Draw(t, "steps") {
		r.Steps = append(r.Steps, Step{Hold: time.Duration(rapid.IntRange(1, 100).Draw(t, "hold"))})
	}
	return r
}

// Stretches follow each other without a gap from 0 to the length, each step
// begins and ends once, and nothing is shorter than it must be.
func TestStretchesCoverTheCourse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRollout(t)
		length := time.Duration(rapid.IntRange(1, 700).Draw(t, "length"))
		at, begun, ended := time.Duration(0), 0, 0
		for _, s := range r.Stretches(length) {
			if s.From != at || s.To <= s.From {
				t.Fatalf("stretch %+v follows %v", s, at)
			}
			at = s.To
			if s.Begins {
				if s.Step != begun || ended != begun {
					t.Fatalf("step %d begins after %d begun and %d ended", s.Step, begun, ended)
				}
				begun++
			}
			if s.Ends {
				ended++
			}
			if s.Window && r.Window > 0 && s.To-s.From < r.Window && s.To-s.From != windowless(r, s.Step, length) {
				t.Fatalf("window %+v is shorter than %v", s, r.Window)
			}
		}
		if at != length || begun != ended {
			t.Fatalf("ended at %v of %v, %d begun, %d ended", at, length, begun, ended)
		}
	})
}

// windowless is the time of a step that is not settling: a window that may be
// shorter than asked for, when it is the only one.
func windowless(r Rollout, step int, length time.Duration) time.Duration {
	var from time.Duration
	for _, s := range r.Steps[:step] {
		from += s.Hold
	}
	to := min(from+r.Steps[step].Hold, length)
	if step == len(r.Steps)-1 {
		to = length
	}
	return to - from - min(r.Settle, to-from)
}

func amount(text string) *units.Amount {
	a, err := units.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return &a
}

func constant(v float64) Values {
	return func(string, string) (float64, bool) { return v, true }
}

func TestTripwires(t *testing.T) {
	for _, row := range []struct {
		name      string
		bound     gate.Bound
		now, base float64
		want      bool
	}{
		{"at a maximum", gate.Bound{Metric: "errors.ratio", Max: amount("1%")}, 0.01, 0, false},
		{"above a maximum", gate.Bound{Metric: "errors.ratio", Max: amount("1%")}, 0.011, 0, true},
		{"below a minimum", gate.Bound{Metric: "cache.hit_ratio", Min: amount("90%")}, 0.89, 0, true},
		{"5 % slower", gate.Bound{Metric: "ttfb.p50", MaxRegression: amount("10%")}, 0.105, 0.1, false},
		{"11 % slower", gate.Bound{Metric: "ttfb.p50", MaxRegression: amount("10%")}, 0.111, 0.1, true},
		{"slower below the floor", gate.Bound{Metric: "ttfb.p50", MaxRegression: amount("10%"), Floor: amount("20ms")}, 0.111, 0.1, false},
		{"faster", gate.Bound{Metric: "ttfb.p50", MaxRegression: amount("10%")}, 0.05, 0.1, false},
		{"fewer hits, within", gate.Bound{Metric: "cache.hit_ratio", MaxIncrease: amount("5%")}, 0.91, 0.95, false},
		{"fewer hits", gate.Bound{Metric: "cache.hit_ratio", MaxIncrease: amount("5%")}, 0.89, 0.95, true},
		{"more hits", gate.Bound{Metric: "cache.hit_ratio", MaxIncrease: amount("5%")}, 1, 0.5, false},
		{"not improved enough", gate.Bound{Metric: "ttfb.p50", MinImprovement: amount("10%")}, 0.095, 0.1, true},
		{"improved", gate.Bound{Metric: "ttfb.p50", MinImprovement: amount("10%")}, 0.08, 0.1, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := Findings([]gate.Bound{row.bound}, constant(row.now), constant(row.base))[0]
			if f.Tripped != row.want || !f.Known {
				t.Errorf("%+v, want tripped %v", f, row.want)
			}
		})
	}
}

func TestWhatIsNotKnownTripsNothing(t *testing.T) {
	none := func(string, string) (float64, bool) { return 0, false }
	bounds := []gate.Bound{{Metric: "cache.hit_ratio", Min: amount("90%")}, {Metric: "ttfb.p50", MaxRegression: amount("1%")}}
	for _, f := range append(Findings(bounds, none, constant(1)), Findings(bounds[1:], constant(9), nil)...) {
		if f.Known || f.Tripped {
			t.Errorf("%+v", f)
		}
	}
}

// course runs windows with the given values, one for each stretch, and
// returns what was decided.
func course(r Rollout, values ...float64) (actions []Action, c *Course) {
	c = NewCourse(r)
	stretches := r.Stretches(r.Length())
	for i, s := range stretches {
		c.Begin(s)
		actions = append(actions, c.Judge(s, constant(values[i]), i == len(stretches)-1).Action)
	}
	return actions, c
}

func stepped(rollback bool) Rollout {
	return Rollout{
		Base: rollout.Part{Old: "v1", New: "v2:16"}, Window: 1, Rollback: rollback,
		Tripwires: []gate.Bound{{Metric: "errors.ratio", MaxIncrease: amount("1%")}},
		Steps:     []Step{{Name: "before", Hold: 1}, {Name: "5", Share: 0.05, Hold: 2}, {Name: "100", Share: 1, Hold: 1}},
	}
}

func TestCourses(t *testing.T) {
	for _, row := range []struct {
		name   string
		plan   Rollout
		values []float64
		want   []Action
		end    string
		part   rollout.Part
	}{
		{"to the end", stepped(true), []float64{0.02, 0.02, 0.03, 0.02}, []Action{Advance, Stay, Advance, End}, "100",
			rollout.Part{Old: "v1", New: "v2:16", Share: 1}},
		{"rolled back", stepped(true), []float64{0, 0, 0.02, 0}, []Action{Advance, Stay, Rollback, End}, RolledBack,
			rollout.Part{Old: "v1", New: "v2:16", Share: 0.05, Off: true}},
		{"held", stepped(false), []float64{0, 0.5, 0.5, 0.5}, []Action{Advance, Hold, Stay, End}, Held,
			rollout.Part{Old: "v1", New: "v2:16", Share: 0.05}},
		{"the time before trips nothing", stepped(true), []float64{1, 1, 1, 1}, []Action{Advance, Stay, Advance, End}, "100",
			rollout.Part{Old: "v1", New: "v2:16", Share: 1}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, c := course(row.plan, row.values...)
			for i := range got {
				if got[i] != row.want[i] {
					t.Fatalf("decided %v, want %v", got, row.want)
				}
			}
			part := c.Part()
			if c.Name() != row.end || part.Share != row.part.Share || part.Off != row.part.Off || part.New != row.part.New {
				t.Errorf("ended as %s with %+v, want %s with %+v", c.Name(), part, row.end, row.part)
			}
		})
	}
}

func TestExtraOfRings(t *testing.T) {
	for _, row := range []struct {
		from, to, weights string
		nodes             int
		want              float64
	}{
		{"v1", "v2:16", "", 64, 0.9 * (1 - 1.0/64)},
		{"v1", "v2:16", "1", 64, 0.9 * (1 - 1.0/64)},
		{"v1", "v2:16", "equal", 64, 0.9 * (1 - 1.0/64)},
		{"v2:16", "v1", "+3", 64, 0.9 * (1 - 1.0/64)},
		{"v1", "v2", "01", 64, 0},
		{"v2", "v3:80", "1-3", 3, 0.5 * (1 - 14.0/36)},
		{"v1", "v2:16", "pareto:1.5", 64, 0.8550760}, // ring move --servers 64 --weights pareto:1.5 v1 v2:16
	} {
		part := rollout.Part{Old: row.from, New: row.to, By: rollout.ByKey}
		extra, err := NewExtra(part, true, row.nodes, row.weights)
		if err != nil || math.Abs(extra.Moved-row.want) > 1e-6 || len(extra.Nodes) != row.nodes {
			t.Errorf("%+v: %+v, %v", row, extra, err)
		}
		if extra, err = NewExtra(part, false, row.nodes, row.weights); err != nil || extra.Moved != 0 {
			t.Errorf("%+v: a router moves %+v, %v", row, extra, err)
		}
	}
	weighted, err := NewExtra(rollout.Part{Old: "v1", New: "v2"}, true, 2, "1-3")
	if err != nil || weighted.Nodes["n1"] != 1.0/3 || weighted.Nodes["n2"] != 2.0/3 {
		t.Errorf("shares of nodes that weigh 1 and 2: %+v, %v", weighted, err)
	}
}

func TestExtraThatIsNotKnown(t *testing.T) {
	for about, part := range map[string]rollout.Part{"by request": {Old: "v1", New: "v2", By: rollout.ByRequest}, "nodes from a file": {Old: "v1", New: "v2"}} {
		nodes := map[bool]int{true: 5, false: 0}[part.By == rollout.ByRequest]
		if extra, err := NewExtra(part, true, nodes, ""); extra != nil || err != nil {
			t.Errorf("%s: %+v, %v", about, extra, err)
		}
	}
	for about, wrong := range map[string]struct{ ring, weights string }{"ring": {"v9", ""}, "weights": {"v2", "3-2"}} {
		if extra, err := NewExtra(rollout.Part{Old: "v1", New: wrong.ring}, true, 5, wrong.weights); err == nil {
			t.Errorf("%s: %+v without an error", about, extra)
		}
	}
}

func TestExtraIsPaidOnce(t *testing.T) {
	e := Extra{Moved: 0.9, Sets: map[string]int{"ams": 1000, "fra": 500}, Nodes: map[string]float64{"n1": 0.25}}
	for _, row := range []struct {
		step Step
		want float64
	}{
		{Step{Share: 0.1, Colos: []string{"ams"}}, 90},
		{Step{Share: 0.1}, 45},
		{Step{Off: true}, 0},
		{Step{Share: 0.1}, 0},
		{Step{Share: 0.5}, 0.4 * 0.9 * 1500},
		{Step{Share: 0.2}, 0},
		{Step{Share: 1}, 0.5 * 0.9 * 1500},
		{Step{Share: 1, Nodes: map[string]string{"n1": "refuse"}}, 375},
		{Step{Share: 1, Nodes: map[string]string{"n1": "up"}}, 375},
		{Step{Share: 1, Nodes: map[string]string{"n1": "down"}}, 0},
		{Step{Share: 1, Nodes: map[string]string{"n1": "up"}}, 0},
	} {
		if got := e.Step(row.step); math.Abs(got-row.want) > 1e-9 {
			t.Errorf("step %+v costs %v, want %v", row.step, got, row.want)
		}
	}
}

// However a share is raised to 1, the steps cost what the flip at once does.
func TestStepsCostWhatTheFlipCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := map[string]int{"ams": rapid.IntRange(0, 5000).Draw(t, "ams"), "fra": rapid.IntRange(0, 5000).Draw(t, "fra")}
		once, steps := Extra{Moved: 0.9, Sets: sets}, Extra{Moved: 0.9, Sets: sets}
		sum := 0.0
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			s := Step{Share: rapid.Float64Range(0, 1).Draw(t, "share"), Off: rapid.Bool().Draw(t, "off")}
			s.Colos = rapid.SampledFrom([][]string{nil, {"ams"}, {"fra"}}).Draw(t, "colos")
			sum += steps.Step(s)
		}
		sum += steps.Step(Step{Share: 1})
		if want := once.Step(Step{Share: 1}); math.Abs(sum-want) > 1e-6 {
			t.Fatalf("steps cost %v, the flip %v", sum, want)
		}
	})
}

func TestSitesByTheirWords(t *testing.T) {
	r := Rollout{Base: rollout.Part{Sites: map[string]string{"size=10": "new", "own": "old"}, OptOut: []string{"size=99", "shop"}}}
	got := r.WithHosts(map[string][]string{"size=10": {"a.pages.dev", "x.a.pages.dev", "b.example"}}, ".pages.dev").Base
	if len(got.Sites) != 3 || got.Sites["b.example"] != "new" || got.Sites["own"] != "old" || len(got.OptOut) != 2 || got.OptOut[0] != "shop" {
		t.Errorf("%+v", got)
	}
	if len(r.Base.Sites) != 2 {
		t.Errorf("the plan itself was changed: %+v", r.Base)
	}
	if got.Sites["a"] != "new" {
		t.Errorf("the site of x.a.pages.dev: %+v", got.Sites)
	}
}
