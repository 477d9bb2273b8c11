package experiment

import (
	"strings"
	"testing"
	"time"
)

const rolledOut = `name: x
arms:
  - {name: once, edge: {ring: "v1+v2:16"}, rollout: {steps: [{share: 100%, hold: 9s}]}}
  - {name: steps, edge: {ring: "v1+v2:16"}}
colos: [ams, fra]
rollout:
  before: 2s
  settle: 500ms
  steps:
    - {share: 5%, colos: [ams], hold: 3s}
    - {hold: 1s}
    - {share: 100%, hold: 4s}
  tripwires: [{metric: errors.ratio, max: 1%}]
`

func TestRolloutsAreFilledIn(t *testing.T) {
	e := parse(t, rolledOut)
	if e.Blocks.Length != Duration(11*time.Second) || e.Blocks.Pairs != 1 {
		t.Errorf("%d pairs of %v, want 1 of 11s", e.Blocks.Pairs, e.Blocks.Length)
	}
	course := e.Course(e.Arms[1])
	want := []struct {
		name  string
		share float64
	}{{"before", 0}, {"5-ams", 0.05}, {"5", 0.05}, {"100", 1}}
	for i, w := range want {
		if s := course.Steps[i]; s.Name != w.name || s.Share != w.share {
			t.Errorf("step %d is %s at %v, want %s at %v", i, s.Name, s.Share, w.name, w.share)
		}
	}
	if !course.Rollback || course.Base.Old != "v1" || course.Base.New != "v2:16" || course.Base.By != "key" || len(course.Tripwires) != 1 {
		t.Errorf("course %+v", course)
	}
	if once := e.Course(e.Arms[0]); len(once.Steps) != 2 || once.Length() != 11*time.Second {
		t.Errorf("course %+v", once)
	}
	sameBack(t, e)
	short, err := e.Short()
	if err != nil {
		t.Fatal(err)
	}
	if short.Blocks.Length != Duration(time.Second) || short.Rollout.Settle != Duration(11*time.Millisecond) || len(short.Rollout.Tripwires) > 0 {
		t.Errorf("short form of %v, settling %v, tripwires %v", short.Blocks.Length, short.Rollout.Settle, short.Rollout.Tripwires)
	}
	sameBack(t, short)
}

func TestFaultsOfRollouts(t *testing.T) {
	const head = "name: x\narms: [{name: a, edge: {ring: v1+v2:16, nodes: {count: 4}}}, {name: b, edge: {ring: v1+v2:16, nodes: {count: 4}}}]\n"
	steps := func(step string) string { return head + "rollout:\n  steps:\n    - " + step + "\n" }
	for _, row := range []struct{ text, want string }{
		{head + "rollout: {}\n", "x.yaml:2: arms[0].rollout.steps: expected 1 to 100, got 0"},
		{steps("{share: 120%, hold: 1s}"), "x.yaml:5: rollout.steps[0].share: expected 0% to 100%"},
		{steps("{share: 5%}"), "x.yaml:5: rollout.steps[0].hold: expected 1ms to 1h0m0s"},
		{steps("{share: 5%, hold: 1s, colos: [fra]}"), `x.yaml:5: rollout.steps[0].colos[0]: unknown colo "fra"`},
		{steps("{share: 5%, hold: 1s, nodes: {n5: down}}"), "x.yaml:5: rollout.steps[0].nodes.n5: expected a node from n1 to n4"},
		{steps("{share: 5%, hold: 1s, nodes: {n1: refuse}}"), "only a node that is a listener can refuse"},
		{steps("{share: 5%, hold: 1s, nodes: {n1: dead}}"), `unknown word "dead"`},
		{steps("{share: 5%, hold: 1s}\n    - {share: 5%, hold: 1s}"), "x.yaml:6: rollout.steps[1].name: a step named \"5\" stands before"},
		{steps("{shrae: 5%, hold: 1s}"), "did you mean share?"},
		{steps("{share: 5%, hold: 1s}") + "  tripwires: [{metric: ttfb.p5, max: 1s}]\n", "unknown metric"},
		{steps("{share: 5%, hold: 1s}") + "  tripwires: [{metric: edge.memory.peak, max: 1GiB}]\n", "has no value of a window"},
		{steps("{share: 5%, hold: 1s}") + "  tripwires: [{metric: ttfb.p50, max: 1s, alpha: 0.1}]\n", "has no alpha"},
		{steps("{share: 5%, hold: 1s}") + "blocks: {length: 3s}\n", "x.yaml:6: blocks.length: the steps of the rollout take 6s, got 3s"},
		{steps("{share: 5%, hold: 1s}") + "  of: router\n", "holds one router and can't move"},
		{steps("{share: 5%, hold: 1s}") + "isolation: flags\n", "isolation: flags flips the same flags"},
		{steps("{share: 5%, hold: 1s}") + "load: {arrivals: concurrency}\ntargets: {per_block: {10: 5}}\ndataset: {sizes: [10]}\n", "a closed loop has no time"},
		{"name: x\narms: [{name: a, edge: {}, rollout: {by: key}}]\n", "there is no rollout: section"},
		{"name: x\ncolos: [ams, ams]\narms: [{name: a, edge: {}}]\n", "x.yaml:2: colos[1]: a colo named \"ams\" stands above"},
		{"name: x\ncolos: [ams]\narms: [{name: a, edge: {colo: fra}}]\n", "leave out its own"},
		{"name: x\ncolos: [ams]\narms: [{name: a, url: \"http://127.0.0.1:1\"}]\n", "only built-in edges are in colos"},
		{"name: x\nisolation: flags\narms: [{name: a, edge: {}}]\n", "expected two arms with an edge"},
		{"name: x\nisolation: flags\narms: [{name: a, edge: {nodes: 3}}, {name: b, edge: {nodes: 4}}]\n", "may differ in router, table_life and ring only"},
		{"name: x\narms: [{name: a, edge: {router: legacy+legacy}}]\n", "expected one router or two different ones"},
	} {
		_, err := Parse("x.yaml", []byte(row.text))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s\n%v\nwant %s", row.text, err, row.want)
		}
	}
}

func TestArmsInOneProcess(t *testing.T) {
	e := parse(t, `name: x
isolation: flags
arms:
  - {name: a, edge: {router: legacy, ring: v1}}
  - {name: b, edge: {router: hashed, ring: v1}}
`)
	for _, a := range e.Arms {
		if got := e.EdgeOf(a); got.Router != "legacy+hashed" || got.Ring != "v1" || got.TableLife != "request" {
			t.Errorf("arm %s is served by %+v", a.Name, got)
		}
	}
	sameBack(t, e)
}
