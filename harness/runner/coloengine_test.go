package runner

import (
	"context"
	"errors"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// fakeEngine notes what it is asked to send.
type fakeEngine struct {
	load.Engine
	status int16
	paths  []string
	err    error
}

func (f *fakeEngine) Run(_ context.Context, _ time.Time, due []time.Duration, list []targets.Target, samples []record.Sample) (load.Counts, error) {
	for i, t := range list {
		f.paths = append(f.paths, t.Path)
		samples[i] = record.Sample{Due: int64(due[i]), Status: f.status}
	}
	return load.Counts{Released: len(list), Dials: 1}, f.err
}

// Each request goes to the colo of its number, over several calls, and its
// sample comes back in its place.
func TestColosTakeTurns(t *testing.T) {
	ams, fra := &fakeEngine{status: 1}, &fakeEngine{status: 2}
	e := &coloEngine{engines: []load.Engine{ams, fra}}
	var b traffic
	for i := range 7 {
		b.due = append(b.due, time.Duration(i))
		b.targets = append(b.targets, targets.Target{Path: string(rune('a' + i))})
	}
	b.targets[5].View = 2 // a page view stays in the colo of its number
	e.begin(b)
	samples := make([]record.Sample, len(b.due))
	for _, cut := range [][2]int{{0, 3}, {3, 3}, {3, 7}} {
		from, to := cut[0], cut[1]
		counts, err := e.Run(t.Context(), time.Now(), b.due[from:to], b.targets[from:to], samples[from:to])
		if err != nil || counts.Released != to-from || counts.Dials != 2 {
			t.Fatalf("%+v, %v", counts, err)
		}
	}
	for i, want := range []int16{1, 2, 1, 2, 1, 1, 1} {
		if samples[i].Status != want || samples[i].Due != int64(i) {
			t.Errorf("request %d: %+v, want status %d", i, samples[i], want)
		}
	}
	if len(ams.paths) != 5 || len(fra.paths) != 2 || fra.paths[1] != "d" {
		t.Errorf("sent %q and %q", ams.paths, fra.paths)
	}
}

func TestAColosErrorIsTheBlocks(t *testing.T) {
	broken := errors.New("broken")
	e := &coloEngine{engines: []load.Engine{&fakeEngine{}, &fakeEngine{err: broken}}}
	b := traffic{due: make([]time.Duration, 2), targets: make([]targets.Target, 2)}
	e.begin(b)
	if _, err := e.Run(t.Context(), time.Now(), b.due, b.targets, make([]record.Sample, 2)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
