package probe

import (
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"switchback/results/record"
)

func TestMemoryIsSampledOverTheTree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		m.process(10, 0, 0, 11)
		m.process(11, 0, 0)
		m.resident(10, 10)
		m.resident(11, 5)
		w := m.probe().WatchMemory(Tree{PID: 10, Own: true}, 10*time.Millisecond)
		time.Sleep(15 * time.Millisecond) // samples at 0 and 10 ms: 15 MiB
		m.resident(11, 45)
		time.Sleep(10 * time.Millisecond) // at 20 ms: 55 MiB
		m.resident(11, 5)
		got, err := w.Stop() // a last one: 15 MiB
		want := Memory{Peak: 55 << 20, Mean: 25 << 20, Samples: 4}
		got.Usage = nil
		if !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("memory %+v and %v, want %+v", got, err, want)
		}
		if m.reset != nil {
			t.Errorf("reset %v: the kernel's peaks of two processes are no peak of their sum", m.reset)
		}
	})
}

// TestPeakOfOneProcessIsTheKernels: a peak between two samples is seen.
func TestPeakOfOneProcessIsTheKernels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		m.process(10, 0, 0)
		m.resident(10, 10)
		m.write("10/status", "Name:\ta\nVmHWM:\t   81920 kB\n")
		w := m.probe().WatchMemory(Tree{PID: 10, Own: true}, 0)
		got, err := w.Stop()
		if got.Peak != 80<<20 || got.Mean != 10<<20 || err != nil {
			t.Errorf("memory %+v and %v, want a peak of 80 MiB and a mean of 10", got, err)
		}
		if want := []string{"5 > " + m.dir + "/10/clear_refs"}; !reflect.DeepEqual(m.reset, want) {
			t.Errorf("reset %q, want %q", m.reset, want)
		}
	})
}

// TestPeakWithoutResetIsTheLargestSample: the kernel's peak would be one of
// an earlier block.
func TestPeakWithoutResetIsTheLargestSample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		m.process(10, 0, 0)
		m.resident(10, 10)
		m.write("10/status", "Name:\ta\nVmHWM:\t   81920 kB\n")
		p := m.probe()
		p.sys.clear = func(string, string) error { return errors.ErrUnsupported }
		if got, err := p.WatchMemory(Tree{PID: 10, Own: true}, 0).Stop(); got.Peak != 10<<20 || err != nil {
			t.Errorf("memory %+v and %v, want a peak of 10 MiB", got, err)
		}
	})
}

func TestNewProcessesAreFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		m.process(10, 0, 0)
		m.resident(10, 10)
		w := m.probe().WatchMemory(Tree{PID: 10, Own: true}, time.Millisecond)
		time.Sleep(time.Millisecond / 2)
		m.process(10, 0, 0, 11)
		m.process(11, 0, 0)
		m.resident(11, 30)
		time.Sleep(20 * time.Millisecond)
		m.end(11)
		if got, err := w.Stop(); got.Peak != 40<<20 || err != nil {
			t.Errorf("memory %+v and %v, want a peak of 40 MiB", got, err)
		}
	})
}

// TestUsageOfEachSecond: a tree that uses half a CPU, and 10 MiB for a second,
// then 30.
func TestUsageOfEachSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		start := time.Now()
		m.process(10, 0, 0)
		m.clock(10, func() time.Duration { return time.Since(start) / 2 })
		m.resident(10, 10)
		w := m.probe().WatchMemory(Tree{PID: 10, Own: true}, 10*time.Millisecond)
		time.Sleep(1001 * time.Millisecond)
		m.resident(10, 30)
		time.Sleep(499 * time.Millisecond)
		got, err := w.Stop()
		want := []record.Usage{
			{Start: start, Length: time.Second, Memory: 10 << 20, CPU: 500 * time.Millisecond},
			{Start: start.Add(time.Second), Length: 500 * time.Millisecond, Memory: 30 << 20, CPU: 250 * time.Millisecond},
		}
		if !reflect.DeepEqual(got.Usage, want) || err != nil {
			t.Errorf("usage %+v and %v, want %+v", got.Usage, err, want)
		}
	})
}

func TestMemoryOfWhatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		p := m.probe()
		if _, err := p.WatchMemory(Tree{PID: 10, Own: true}, 0).Stop(); !errors.Is(err, errNoMemory) {
			t.Errorf("error %v, want that no process is left", err)
		}
		if _, err := p.PSS(Tree{PID: 10, Own: true}); !errors.Is(err, errNoMemory) {
			t.Errorf("error %v, want that no process is left", err)
		}
	})
}

func TestPSSIsSummed(t *testing.T) {
	m := newMachine(t)
	m.process(10, 0, 0, 11)
	m.process(11, 0, 0)
	for _, pid := range []string{"10", "11"} {
		m.write(pid+"/smaps_rollup", "55d4d9561000-7fffb7961000 ---p 00000000 00:00 0    [rollup]\nRss:     4096 kB\nPss:     3072 kB\n")
	}
	if got, err := m.probe().PSS(Tree{PID: 10, Own: true}); got != 6<<20 || err != nil {
		t.Errorf("PSS %d and %v, want 6 MiB", got, err)
	}
}
