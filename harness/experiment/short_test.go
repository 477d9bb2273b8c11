package experiment

import (
	"reflect"
	"testing"
	"time"
)

const scaled = `name: x
dataset: {sizes: [50000, 10000, 1000, 100], tail: 2000}
targets: {per_block: {50000: 1, 10000/last: 9, 10000/first: 20, 100: 300, tail: 0, unknown: 70}}
arms:
  - {name: a, edge: {router: legacy}}
  - {name: b, edge: {router: hashed}}
blocks: {pairs: 12, length: 4s, warmup: 10s}
gate: [{metric: ttfb.mean, group: size=50000, max_regression: 5%}]
`

func TestShortKeepsTheLaw(t *testing.T) {
	full := parse(t, scaled)
	e, err := full.Short()
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1000, 100}; !reflect.DeepEqual(e.Dataset.Sizes, want) || e.Dataset.Tail != 100 {
		t.Errorf("sizes %v and tail %d, want %v and 100", e.Dataset.Sizes, e.Dataset.Tail, want)
	}
	want := map[string]int{"1000": 1, "1000/last": 1, "1000/first": 3, "100": 38, "tail": 0, "unknown": 9}
	if !reflect.DeepEqual(e.Targets.PerBlock, want) {
		t.Errorf("per_block %v, want %v", e.Targets.PerBlock, want)
	}
	if e.Blocks.Pairs != 2 || e.Blocks.Length != Duration(500*time.Millisecond) || e.Load.Rate != 104 {
		t.Errorf("%d pairs of %v at %v, want 2 of 500ms at 104/s", e.Blocks.Pairs, e.Blocks.Length, e.Load.Rate)
	}
	if e.Blocks.Warmup != "" || full.Blocks.Warmup != "10s" {
		t.Errorf("warm-up %q of the short form, %q of the full one; want none and 10s", e.Blocks.Warmup, full.Blocks.Warmup)
	}
	if got := e.Gate.Bounds[0].Group; got != "size=1000" {
		t.Errorf("the bound is about %s", got)
	}
	if got, want := e.GateNote(), "gates are not judged: they need 8 pairs, this run has 2"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	if full.Blocks.Pairs != 12 || len(full.Targets.PerBlock) != 6 || full.Gate.ReportOnly {
		t.Errorf("the full form was changed: %+v", full)
	}
	more, err := e.WithPairs(30)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := more.GateNote(), "gates are not judged in the short form"; got != want || more.Blocks.Pairs != 30 {
		t.Errorf("%d pairs, note %q, want 30 and %q", more.Blocks.Pairs, got, want)
	}
	sameBack(t, more)
	again, err := e.Short()
	if err != nil {
		t.Fatal(err)
	}
	same(t, e, again)
	sameBack(t, e)
}

func TestWithPairs(t *testing.T) {
	for _, test := range []struct {
		pairs int
		note  string
	}{
		{20, ""},
		{8, ""},
		{7, "gates are not judged: they need 8 pairs, this run has 7"},
		{1, "gates are not judged: they need 8 pairs, this run has 1"},
	} {
		e, err := parse(t, scaled).WithPairs(test.pairs)
		if err != nil {
			t.Fatal(err)
		}
		if e.Blocks.Pairs != test.pairs || e.Blocks.Length != Duration(4*time.Second) {
			t.Errorf("%d pairs of %v, want %d of 4s", e.Blocks.Pairs, e.Blocks.Length, test.pairs)
		}
		if got := e.GateNote(); got != test.note || e.Rules().ReportOnly != (test.note != "") {
			t.Errorf("%d pairs: note %q, want %q", test.pairs, got, test.note)
		}
		sameBack(t, e)
	}
	if _, err := parse(t, scaled).WithPairs(0); err == nil || err.Error() != "test.yaml:7: blocks.pairs: expected 1 to 100000, got 0" {
		t.Errorf("0 pairs: %v", err)
	}
}

func TestWithPairsCountsLaunches(t *testing.T) {
	e, err := parse(t, scaled[:len(scaled)-1]+"\n").WithPairs(8)
	if err != nil || e.Launches() != 8 {
		t.Fatalf("%v, %d launches", err, e.Launches())
	}
	const every = `name: x
arms: [{name: a, edge: {}}, {name: b, edge: {}}]
blocks: {pairs: 30, launch_every: 3}
gate: [{metric: ttfb.p50, max_regression: 5%}]
`
	e, err = parse(t, every).WithPairs(20)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.GateNote(), "gates are not judged: they need 8 launches, this run has 7"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
}

func TestRunningServersNeedNoLaunches(t *testing.T) {
	e := parse(t, `name: x
arms: [{name: a, url: "http://127.0.0.1:1"}, {name: b, url: "http://127.0.0.1:2"}]
blocks: {pairs: 8, launch_every: 0}
gate: [{metric: ttfb.p50, max_regression: 5%}]
`)
	if e.Launches() != 1 || e.PairsNeeded() != 8 || e.GateNote() != "" {
		t.Errorf("%d launches, %d pairs needed, note %q", e.Launches(), e.PairsNeeded(), e.GateNote())
	}
}

func TestWithoutGatesThereIsNoNote(t *testing.T) {
	e, err := parse(t, twoArms).Short()
	if err != nil {
		t.Fatal(err)
	}
	if e.GateNote() != "" || e.PairsNeeded() != 0 || e.Gate.ReportOnly {
		t.Errorf("note %q, %d pairs needed", e.GateNote(), e.PairsNeeded())
	}
}

func TestReportOnlyIsSaid(t *testing.T) {
	e := parse(t, twoArms+"gate: {report_only: true, bounds: [{metric: ttfb.p50, max_regression: 5%}]}\n")
	if got, want := e.GateNote(), "gates are not judged: gate.report_only is set"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
}
