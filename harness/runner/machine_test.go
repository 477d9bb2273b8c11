package runner

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"

	"switchback/harness/load"
)

func TestLayOut(t *testing.T) {
	tests := []struct {
		cpus []int
		want layout
		show map[string]string
	}{
		{[]int{0}, layout{}, map[string]string{"generator": "all", "arms": "all", "origin": "all"}},
		{[]int{2, 5}, layout{[]int{2}, []int{5}, []int{5}}, map[string]string{"generator": "2", "arms": "5", "origin": "5"}},
		{[]int{0, 1, 2, 3}, layout{[]int{0}, []int{1}, []int{2}}, map[string]string{"generator": "0", "arms": "1", "origin": "2"}},
	}
	for _, test := range tests {
		got := layOut(test.cpus)
		if !reflect.DeepEqual(got, test.want) || !reflect.DeepEqual(got.pinning(), test.show) {
			t.Errorf("layOut(%v) = %+v, shown as %v; want %+v, %v", test.cpus, got, got.pinning(), test.want, test.show)
		}
	}
}

// gcPercent reads the setting of the collector.
func gcPercent() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

func TestPinSelfIsUndone(t *testing.T) {
	percent := gcPercent()
	before, err := allowedCPUs()
	if err != nil {
		t.Fatal(err)
	}
	undo, err := pinSelf(before[:1])
	if err != nil {
		t.Fatal(err)
	}
	if during, err := allowedCPUs(); err != nil || !reflect.DeepEqual(during, before[:1]) {
		t.Errorf("pinned to %v, %v; want %v", during, err, before[:1])
	}
	if during := gcPercent(); during != load.GCPercent || during == percent {
		t.Errorf("the collector is set to %d %%, want %d", during, load.GCPercent)
	}
	undo()
	if after := gcPercent(); after != percent {
		t.Errorf("after undo the collector is set to %d %%, want %d", after, percent)
	}
	if after, err := allowedCPUs(); err != nil || !reflect.DeepEqual(after, before) {
		t.Errorf("after undo: %v, %v; want %v", after, err, before)
	}
}

// An engine may raise the number of running goroutines meanwhile, pinned or not.
func TestPinSelfSetsTheRunningGoroutinesBack(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	undo, err := pinSelf(nil)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(procs + 3)
	undo()
	if after := runtime.GOMAXPROCS(0); after != procs {
		t.Errorf("after undo GOMAXPROCS is %d, want %d", after, procs)
	}
}
