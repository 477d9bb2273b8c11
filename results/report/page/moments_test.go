package page

import (
	"math"
	"strings"
	"testing"
	"time"

	"switchback/results/record"
	"switchback/results/report/internal/made"
)

// changed is an experiment file with a change, as a run writes it.
const changed = `name: made
blocks:
  guard: 20ms
change:
  - at: 250ms
    window: 500ms
    arm: hashed
    do: reload
`

func TestChangeWindowsAreBands(t *testing.T) {
	run := Load(made.Run{Pairs: 2}.Write(t, t.TempDir(), "run"))
	run.Experiment = []byte(changed)
	run.Manifest.Notes = []string{"nginx has no <stub_status>"}
	text := rendered(t, run)
	for _, want := range []string{`"label":"reload","filled":true`, `"label":"no change","filled":true`, "Bands are the windows of the change: reload of hashed 250ms into a block.", "nginx has no &lt;stub_status&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	var err error
	if run.plan, err = planOf(run.Experiment); err != nil {
		t.Fatal(err)
	}
	bands := changeBands(run, run.Blocks[0].Start)
	if len(bands) != len(run.Blocks) {
		t.Fatalf("%d bands for %d blocks", len(bands), len(run.Blocks))
	}
	for i, b := range bands {
		from := run.Blocks[i].Start.Sub(run.Blocks[0].Start).Seconds() + 0.27
		if math.Abs(b.From-from) > 1e-9 || math.Abs(b.To-from-0.5) > 1e-9 {
			t.Errorf("block %d: the window is %v to %v, want 0.5 s from %v", i, b.From, b.To, from)
		}
	}
}

// rolledBack are the decisions about an arm that a tripwire brought back.
func rolledBack(start time.Time) []record.Decision {
	v, base := 0.297, 0.1
	at := func(seconds float64, action, step string) record.Decision {
		return record.Decision{Schema: record.RolloutSchema, Arm: "hashed", Time: start.Add(time.Duration(seconds * 1e9)), At: seconds, Action: action, Step: step, Window: 1, Requests: 10}
	}
	trip := at(4, "rollback", "<b>25")
	trip.Reason = "ttfb.p50 is 0.297 (max_regression 5%)"
	trip.Tripwires = []record.Tripwire{{Metric: "ttfb.p50", Bound: "max_regression 5%", Value: &v, Base: &base, Tripped: true}}
	return []record.Decision{at(0, record.Begin, "before"), at(2, "advance", "before"), at(2, record.Begin, "<b>25"), trip, at(6, "end", "rolled-back")}
}

func TestRolloutIsShownWithItsTripwires(t *testing.T) {
	run := Load(made.Run{Pairs: 4}.Write(t, t.TempDir(), "run"))
	run.Decisions = rolledBack(run.Blocks[0].Start)
	text := rendered(t, run)
	for _, want := range []string{`id="rollout"`, "hashed: rollback in step &lt;b&gt;25 after 4.0 s: ttfb.p50 is 0.297 (max_regression 5%)",
		"ttfb.p50 297 ms (max_regression 5% of 100 ms) tripped", `"kind":"trip"`, `class="mark trip"`, `>rollback: ttfb.p50 is 0.297 (max_regression 5%)</text>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	bands := stepBands(run.Decisions, run.Blocks[0].Start)
	if len(bands) != 2 || bands[0].To != 2 || bands[1].From != 2 || bands[1].To != 6 || bands[0].Filled == bands[1].Filled {
		t.Errorf("bands %+v", bands)
	}
}

// TestPlanOfAnyFile: a file that can't be read is an error, and never more.
func TestPlanOfAnyFile(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for _, c := range "bcdefghi" {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "]\n"
	}
	for name, c := range map[string]struct {
		file  string
		fails bool
	}{
		"none":           {"", false},
		"no change":      {"name: x\n", false},
		"another key":    {"change: []\nlater: {more: [1]}\n", false},
		"aliases":        {bomb, false},
		"a negative one": {"change: [{at: -1s}]\n", true},
		"no duration":    {"change: [{at: soon}]\n", true},
		"no list":        {"change: {at: 1s}\n", true},
		"no YAML":        {"\x00{]", true},
		"long":           {strings.Repeat("# x\n", maxPlanBytes/4+1), true},
	} {
		if p, err := planOf([]byte(c.file)); (err != nil) != c.fails || len(p.Change) > 0 && err != nil {
			t.Errorf("%s: plan %+v, %v", name, p, err)
		}
	}
}
