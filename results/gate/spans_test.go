package gate

import (
	"strings"
	"testing"

	"switchback/results/record"
)

// Lost spans are a note with their number, and no fault of the measurement.
func TestLostSpansAreANote(t *testing.T) {
	for delivered, want := range map[int64]string{10: "", 9: "2 of 20 spans did not reach the collector"} {
		run := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}.run()
		for i := range 2 {
			run.Blocks[i].Spans = &record.Spans{Made: 10, Delivered: delivered}
		}
		s, err := Summarise(run, Rules{Arms: both(), Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}}})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(s.Validity.Notes, "\n"); !s.Validity.OK || strings.Contains(notes, "spans") != (want != "") || !strings.Contains(notes, want) {
			t.Errorf("%d of 10 delivered: valid %v, notes %q, want %q", delivered, s.Validity.OK, notes, want)
		}
	}
}
