package probe

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"switchback/results/record"
)

// Memory is what a tree held resident over a time, in bytes.
type Memory struct {
	Peak    int64
	Mean    int64
	Samples int
	Usage   []record.Usage // of each second, and of the rest
}

// MemoryWatch samples the memory of a tree until it is stopped.
type MemoryWatch struct {
	probe *Probe
	tree  Tree
	stop  chan struct{}
	done  sync.WaitGroup

	pids  []int
	reset bool // the kernel's own peak was reset, so it covers the watch
	peak  int64
	sum   int64
	n     int

	usage  []record.Usage
	second stretch // under way
}

// rescan is how many samples pass between two looks for new processes.
const rescan = 10

// WatchMemory samples the resident memory of a tree, each time summed over
// its processes, at every interval (0: 10 ms). Stop ends it.
//
// Where the kernel lets us reset a process's own high-water mark, the peak of
// a tree of one process is exact; else it is the largest sample.
func (p *Probe) WatchMemory(t Tree, interval time.Duration) *MemoryWatch {
	if interval == 0 {
		interval = 10 * time.Millisecond
	}
	w := &MemoryWatch{probe: p, tree: t, stop: make(chan struct{})}
	w.begin()
	w.done.Go(func() { w.run(interval) })
	return w
}

func (w *MemoryWatch) begin() {
	w.scan()
	if len(w.pids) == 1 {
		path := filepath.Join(w.probe.sys.proc, strconv.Itoa(w.pids[0]), "clear_refs")
		w.reset = w.probe.sys.clear(path, "5") == nil
	}
	w.second = w.beginStretch()
	w.sample()
}

func (w *MemoryWatch) run(interval time.Duration) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
			if w.n%rescan == 0 {
				w.scan()
			}
			w.sample()
			if time.Since(w.second.start) >= time.Second {
				w.endStretch()
			}
		}
	}
}

// scan looks for the tree's processes again.
func (w *MemoryWatch) scan() {
	if pids, err := w.probe.processes(w.tree); err == nil {
		w.pids = pids
	}
}

func (w *MemoryWatch) sample() {
	var rss int64
	for _, pid := range w.pids {
		rss += w.probe.resident(pid)
	}
	if rss == 0 {
		return // ended
	}
	w.peak = max(w.peak, rss)
	w.sum += rss
	w.n++
	w.second.sum += rss
	w.second.n++
}

// resident returns the resident set of a process, 0 when it has ended.
func (p *Probe) resident(pid int) int64 {
	data, err := os.ReadFile(filepath.Join(p.sys.proc, strconv.Itoa(pid), "statm"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// errNoMemory means that no process of the tree could be read.
var errNoMemory = errors.New("no process of it is left")

// Stop ends the watch after a last sample and returns what it saw.
func (w *MemoryWatch) Stop() (Memory, error) {
	close(w.stop)
	w.done.Wait()
	w.scan()
	w.sample()
	w.endStretch()
	if w.n == 0 {
		return Memory{}, fmt.Errorf("memory of process %d: %w", w.tree.PID, errNoMemory)
	}
	if w.reset && len(w.pids) == 1 {
		w.peak = max(w.peak, w.probe.highWater(w.pids[0]))
	}
	return Memory{Peak: w.peak, Mean: w.sum / int64(w.n), Samples: w.n, Usage: w.usage}, nil
}

func (p *Probe) highWater(pid int) int64 {
	proc, err := p.fs.Proc(pid)
	if err != nil {
		return 0
	}
	status, err := proc.NewStatus()
	if err != nil {
		return 0
	}
	return int64(status.VmHWM)
}

// PSS returns the proportional set size of a tree in bytes: memory shared
// between processes is divided among them. The kernel walks every page, some
// milliseconds for a large process: read it between blocks.
func (p *Probe) PSS(t Tree) (int64, error) {
	pids, err := p.processes(t)
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, pid := range pids {
		proc, err := p.fs.Proc(pid)
		if err != nil {
			continue // ended
		}
		rollup, err := proc.ProcSMapsRollup()
		if err != nil {
			if err = unlessGone(err); err != nil {
				return 0, err
			}
			continue
		}
		sum += int64(rollup.Pss)
	}
	if sum == 0 {
		return 0, fmt.Errorf("memory of process %d: %w", t.PID, errNoMemory)
	}
	return sum, nil
}
