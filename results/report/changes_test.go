package report

import (
	"strings"
	"testing"

	"switchback/results/record"
)

// The windows of a change are rows in the order of time, with what the change
// took below them; without a change there is no table.
func TestChangesAreShownInTheOrderOfTime(t *testing.T) {
	metric := func(name, group, unit string, v float64) record.Metric {
		return record.Metric{Name: name, Group: group, Unit: unit, Arms: map[string]float64{"a": v}}
	}
	run := Run{Summary: record.Summary{Arms: []string{"a"}, Baseline: "a", Metrics: []record.Metric{
		metric("ttfb.p99", "change=after", "s", 0.003), metric("ttfb.p99", "change=before", "s", 0.001),
		metric("ttfb.p99", "change=in", "s", 0.002), metric("change.effect", "", "s", 0.05)}},
		Manifest: record.Manifest{Notes: []string{"check: 100% of 3 keys"}}}
	var b strings.Builder
	if err := Text(&b, run, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, want := range []string{"change while serving", "1.00 ms", "2.00 ms", "3.00 ms", "time to effect: 50.0 ms (a)", "check: 100% of 3 keys"} {
		i := strings.Index(b.String(), want)
		if i <= at {
			t.Errorf("%q stands at %d, after %d, in\n%s", want, i, at, b.String())
		}
		at = i
	}
	run.Summary.Metrics = nil
	b.Reset()
	if err := Text(&b, run, TextOptions{}); err != nil || strings.Contains(b.String(), "change while serving") {
		t.Errorf("a table without a change: %v\n%s", err, b.String())
	}
}
