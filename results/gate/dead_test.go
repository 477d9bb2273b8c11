package gate

import (
	"strings"
	"testing"

	"switchback/results/record"
)

// How an arm was lost decides what its loss means: what the arm did is a
// regression of a candidate, what others did makes the run invalid, and without a
// baseline there is nothing to compare with. That holds with gates and without.
func TestWhatALostArmMeans(t *testing.T) {
	lines := []string{"no such table"}
	for _, c := range []struct {
		death       *record.Death
		says        string
		ofCandidate string // verdict
		shownLines  int
	}{
		{death: nil, says: "died while serving", ofCandidate: record.Regression},
		{death: &record.Death{Cause: record.LostServing, Status: "exit status 3", Lines: lines}, says: "died while serving (exit status 3)", ofCandidate: record.Regression, shownLines: 1},
		{death: &record.Death{Cause: record.LostAtStart, Status: "exit status 3", Lines: lines}, says: "ended at its start (exit status 3)", ofCandidate: record.Regression, shownLines: 1},
		{death: &record.Death{Cause: record.LostNotReady, Reason: "not within 10s"}, says: "was not ready: not within 10s", ofCandidate: record.Regression},
		{death: &record.Death{Cause: record.LostSetup, Reason: "exit status 2"}, says: "a command around it failed: exit status 2", ofCandidate: record.Invalid},
		{death: &record.Death{Cause: record.LostHarness, Reason: "too many open files"}, says: "the harness failed: too many open files", ofCandidate: record.Invalid},
	} {
		for _, gated := range []bool{true, false} {
			for arm, want := range map[string]string{"base": record.Invalid, "candidate": c.ofCandidate} {
				run := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}.run()
				for i, b := range run.Blocks {
					if b.Pair == 19 && b.Arm == arm {
						run.Blocks[i].Dead, run.Blocks[i].Death = true, c.death
					}
				}
				rules := Rules{Arms: both()}
				if gated {
					rules.Bounds = []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}}
				}
				s, err := Summarise(run, rules)
				if err != nil || s.Verdict != want || s.Validity.OK != (want == record.Regression) {
					t.Errorf("%s %s, gated %v: verdict %s, validity %+v, %v; want %s", arm, c.says, gated, s.Verdict, s.Validity, err, want)
				}
				event := strings.Join(s.Events, "\n")
				if !strings.Contains(event, "pair 19, block ") || !strings.Contains(event, "arm "+arm+" ") || !strings.Contains(event, c.says) {
					t.Errorf("%s: events %q; want %q", arm, event, c.says)
				}
				if len(s.Deaths) != 1 || s.Deaths[0].Arm != arm || len(s.Deaths[0].Lines) != c.shownLines {
					t.Errorf("%s %s: deaths %+v", arm, c.says, s.Deaths)
				}
			}
		}
	}
}
