package runner

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"switchback/targets"
)

func TestAssetsFollowTheirDocument(t *testing.T) {
	list := []targets.Target{
		{Path: "/single"},
		{Path: "/", View: 1, Document: true}, {Path: "/a.css", View: 1}, {Path: "/b.js", View: 1},
		{Path: "/", View: 2, Document: true}, {Path: "/a.css", View: 2},
	}
	if n := arrivalsOf(list); n != 3 {
		t.Fatalf("arrivalsOf = %d, want 3", n)
	}
	ms := time.Millisecond
	got := dueInstants(list, []time.Duration{0, 10 * ms, 11 * ms})
	if want := []time.Duration{0, 10 * ms, 11 * ms, 12 * ms, 11 * ms, 12 * ms}; !slices.Equal(got, want) {
		t.Errorf("dueInstants = %v, want %v", got, want)
	}
}

func TestTrafficIsSentInTheOrderOfItsInstants(t *testing.T) {
	tr := traffic{guard: 1, due: []time.Duration{0, 5, 3, 4, 3},
		targets: []targets.Target{{Path: "guard"}, {Path: "5"}, {Path: "3a"}, {Path: "4"}, {Path: "3b"}}}
	tr.sort()
	var paths []string
	for _, target := range tr.targets {
		paths = append(paths, target.Path)
	}
	if want := []string{"guard", "3a", "3b", "4", "5"}; !slices.Equal(paths, want) || !slices.IsSorted(tr.due) {
		t.Errorf("sorted: %v at %v, want %v", paths, tr.due, want)
	}
}

func TestGuardIsTrafficOfTheSameKind(t *testing.T) {
	counted := []targets.Target{{Path: "1"}, {Path: "2", View: 7, Document: true}}
	got := guardTraffic(counted, 30*time.Millisecond, 3)
	if len(got.due) != 3 || got.due[2] >= 30*time.Millisecond {
		t.Errorf("due %v; want three instants within the guard", got.due)
	}
	want := []targets.Target{{Path: "2"}, {Path: "1"}, {Path: "2"}}
	if !reflect.DeepEqual(got.targets, want) {
		t.Errorf("guard sends %+v, want %+v: no part of a page view", got.targets, want)
	}
	if empty := guardTraffic(nil, time.Second, 3); len(empty.due) != 0 {
		t.Errorf("a block without requests has a guard of %d", len(empty.due))
	}
}
