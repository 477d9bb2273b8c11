package probe

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"switchback/results/record"
)

func about(got, want float64) bool { return math.Abs(got-want) < 1e-3*math.Abs(want)+1e-9 }

// TestWatchMachine runs a second on a made-up machine of two CPUs: we use
// 0.5 s, our child 0.25 s, a stranger 0.2 s, the hypervisor 0.1 s.
func TestWatchMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		start := time.Now()
		share := func(of float64) func() time.Duration {
			return func() time.Duration { return time.Duration(of * float64(time.Since(start))) }
		}
		m.process(selfPID, 0, 0, 8)
		m.process(8, 0, 0)
		m.process(20, 0, 0)
		m.clock(selfPID, share(0.5))
		m.clock(8, share(0.25))
		m.clock(20, share(0.2))
		w, err := m.probe().WatchMachine(nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		m.write("stat", "cpu  50 0 45 95 0 0 0 10 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n")
		r, err := w.Stop()
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string][2]float64{
			"CPU": {r.CPU, 0.5}, "steal": {r.Steal, 0.05}, "foreign": {r.Foreign, 0.1},
			"hiccup p99": {r.HiccupP99, 300e-6}, "hiccup max": {r.HiccupMax, 300e-6},
		} {
			if !about(c[0], c[1]) && math.Abs(c[0]-c[1]) > 2e-3*c[1] {
				t.Errorf("%s = %v, want %v", name, c[0], c[1])
			}
		}
		if n := r.Hiccups.N(); n < 700 || n > 800 {
			t.Errorf("%d sleeps of 1.3 ms in a second", n)
		}
	})
}

// TestServersThatRanBeforeAreOurs: an arm that was not started here is no
// foreign load.
func TestServersThatRanBeforeAreOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		start := time.Now()
		m.process(selfPID, 0, 0)
		m.process(20, 0, 0)
		m.clock(20, func() time.Duration { return time.Since(start) })
		w, err := m.probe().WatchMachine([]Tree{{PID: 20, Own: false}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if r, err := w.Stop(); r.Foreign != 0 || err != nil {
			t.Errorf("foreign %v and %v, want 0", r.Foreign, err)
		}
	})
}

func TestShares(t *testing.T) {
	before := machineState{ours: time.Second, others: map[int]time.Duration{5: time.Second, 6: time.Second}, ticks: cpuTicks{busy: 100, steal: 1, cpus: 2}}
	for name, c := range map[string]struct {
		after          machineState
		steal, foreign float64
	}{
		"nothing": {machineState{ours: time.Second, others: before.others, ticks: before.ticks}, 0, 0},
		"others, new ones among them": {machineState{ours: 2 * time.Second, ticks: cpuTicks{busy: 101, steal: 1, cpus: 2},
			others: map[int]time.Duration{5: 1500 * time.Millisecond, 7: 100 * time.Millisecond}}, 0, 0.3},
		"steal": {machineState{ours: time.Second, ticks: cpuTicks{busy: 100, steal: 1.5, cpus: 2}}, 0.25, 0},
		// One second on two CPUs is 200 ticks, whose sampling errs by up to 0.212 s.
		"unseen, within the error": {machineState{ours: time.Second, ticks: cpuTicks{busy: 100.2, steal: 1, cpus: 2}}, 0, 0},
		"unseen, beyond it":        {machineState{ours: time.Second, ticks: cpuTicks{busy: 101, steal: 1, cpus: 2}}, 0, (1 - 0.2121320343559643) / 2},
		"a child of ours ended":    {machineState{ours: time.Second / 2, ticks: cpuTicks{busy: 100, steal: 1, cpus: 2}}, 0, 0},
	} {
		c.after.at = before.at.Add(time.Second)
		steal, foreign := shares(before, c.after)
		if !about(steal, c.steal) || !about(foreign, c.foreign) {
			t.Errorf("%s: steal %v, foreign %v; want %v, %v", name, steal, foreign, c.steal, c.foreign)
		}
	}
	if steal, foreign := shares(before, before); steal != 0 || foreign != 0 {
		t.Errorf("no time: %v, %v", steal, foreign)
	}
}

func TestPausesSinceCountsCollections(t *testing.T) {
	before := readPauses()
	for range 3 {
		runtime.GC()
	}
	n, longest := readPauses().since(before)
	if n < 3 || longest <= 0 {
		t.Errorf("%d collections, longest pause %v; want at least 3 and a pause", n, longest)
	}
	if n, longest := before.since(before); n != 0 || longest != 0 {
		t.Errorf("no collection: %d, %v", n, longest)
	}
}

func TestMachineKind(t *testing.T) {
	m := newMachine(t)
	cpus := "processor\t: 0\nvendor_id\t: x\nmodel name\t: AMD  EPYC 7713\n\nprocessor\t: 1\nvendor_id\t: x\nmodel name\t: AMD  EPYC 7713\n\n"
	m.write("cpuinfo", cpus)
	m.write("meminfo", "MemTotal:        8145920 kB\nMemFree:  1 kB\n")
	m.write("sys/kernel/osrelease", "6.12.0\n")
	p := m.probe()
	kind, err := p.MachineKind()
	if runtime.GOARCH == "amd64" {
		want := record.MachineKind{CPU: "AMD EPYC 7713", CPUs: 2, MemoryGiB: 8, Architecture: "amd64"}
		if kind != want || err != nil {
			t.Errorf("kind %+v and %v, want %+v", kind, err, want)
		}
	}
	if kernel, err := p.Kernel(); kernel != "Linux 6.12.0" || err != nil {
		t.Errorf("kernel %q and %v", kernel, err)
	}
}

func TestThisMachine(t *testing.T) {
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	kind, err := p.MachineKind()
	if err != nil || kind.CPUs < 1 || kind.MemoryGiB < 1 || kind.Architecture != runtime.GOARCH {
		t.Errorf("kind %+v and %v", kind, err)
	}
	if kernel, err := p.Kernel(); err != nil || !strings.HasPrefix(kernel, "Linux ") || len(strings.Fields(kernel)) != 2 {
		t.Errorf("kernel %q and %v", kernel, err)
	}
	w, err := p.WatchMachine(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Stop()
	if err != nil || r.CPU <= 0 || r.Hiccups.N() < 1 {
		t.Errorf("reading %+v and %v, want some CPU and a sleep", fmt.Sprint(r.Generator), err)
	}
}

func BenchmarkProcessClock(b *testing.B) {
	for b.Loop() {
		if _, err := processClock(1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadings are what is read while a block runs, of this process.
func BenchmarkReadings(b *testing.B) {
	p, err := New()
	if err != nil {
		b.Fatal(err)
	}
	self := Tree{PID: p.sys.self, Own: true}
	b.Run("tree CPU", func(b *testing.B) {
		for b.Loop() {
			if _, err := p.CPU(self); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("resident memory", func(b *testing.B) {
		for b.Loop() {
			p.resident(self.PID)
		}
	})
	b.Run("machine state", func(b *testing.B) {
		for b.Loop() {
			if _, err := p.machineState([]Tree{self}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
