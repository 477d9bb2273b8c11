package page

import (
	"math"
	"strings"
	"testing"
	"time"

	"switchback/results/record"
	"switchback/results/report/internal/made"
)

func TestChangeWindowsAreBands(t *testing.T) {
	run := Load(made.Run{Pairs: 2}.Write(t, t.TempDir(), "run"))
	run.Summary.Windows = []record.Window{{Arm: "hashed", Do: "reload", At: 0.25, Length: 0.5}}
	for i := range run.Blocks {
		run.Blocks[i].Guard, run.Blocks[i].Windows = 0.02, run.Summary.Windows
	}
	run.Manifest.Notes = []string{"nginx has no <stub_status>"}
	text := rendered(t, run)
	for _, want := range []string{`"label":"reload","filled":true`, `"label":"no change","filled":true`, "Bands are the windows of the change: reload of hashed 250 ms into a block.", "nginx has no &lt;stub_status&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	bands := changeBands(run.Blocks, run.Blocks[0].Start)
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
