package experiment

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestStretches(t *testing.T) {
	second := Duration(time.Second)
	changes := []Change{{At: second, Window: second}, {At: 4 * second, Window: second}}
	for at, want := range map[float64]string{-0.02: "before", 0: "before", 0.999: "before", 1: "in", 1.999: "in", 2: "after", 3.9: "after", 4: "in", 5: "after", 9: "after"} {
		if got := Stretch(changes, time.Duration(at*1e9)); got != want {
			t.Errorf("%v s is %s, want %s", at, got, want)
		}
	}
}

// The requests of a stretch are exact where the law places them, and for a
// Poisson process what 99 % of blocks have: 500 expected of 2,500, less 2.33
// standard deviations of √(500 · 0.8) = 20.
func TestRequestsOfAStretch(t *testing.T) {
	for _, test := range []struct {
		load string
		want map[string]int
	}{
		{"{rate: 500/s, arrivals: constant}", map[string]int{"before": 1000, "in": 500, "after": 1000}},
		{"{rate: 500/s}", map[string]int{"before": 942, "in": 453, "after": 942}},
		{"{rate: 500/s, arrivals: 'steps(0, 1, 0, 0, 0)'}", map[string]int{"before": 2500, "in": 0, "after": 0}},
	} {
		e := parse(t, served+"load: "+test.load+"\nblocks: {length: 5s}\nchange: [{at: 2s, window: 1s}]\n")
		got := e.requests()
		for name, want := range test.want {
			if have := got["change="+name]; have != want {
				t.Errorf("%s: %d requests %s, want %d", test.load, have, name, want)
			}
		}
	}
}

// A gate on a quantile in the window is taken when a window holds it, and
// refused with the number that would do.
func TestGatesInTheWindow(t *testing.T) {
	text := served + "load: {rate: %s}\nblocks: {length: 5s}\nchange: [{at: 2s, window: 1s}]\n" +
		"gate: [{metric: ttfb.p99, group: %s, max: 50ms}]\n"
	if _, err := Parse("f.yaml", fmt.Appendf(nil, text, "600/s", "change=in")); err != nil {
		t.Errorf("refused: %v", err)
	}
	for about, test := range map[string]struct{ rate, group, want string }{
		"too few": {"500/s", "change=in", "f.yaml:11: gate on ttfb.p99: 453 requests of change=in in a block do not hold it; 500 would"},
		"no such": {"600/s", "change=during", `f.yaml:11: gate.bounds[0].group: unknown word "during": expected before, in or after`},
	} {
		if _, err := Parse("f.yaml", fmt.Appendf(nil, text, test.rate, test.group)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v\nwant %s", about, err, test.want)
		}
	}
}
