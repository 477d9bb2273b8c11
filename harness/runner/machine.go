package runner

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"switchback/harness/load"
)

// layout says which CPUs each part of a run may use; nil is all of them. The
// generator never shares a CPU with what it measures, where there are two.
type layout struct {
	generator, arms, origin []int
}

// layOut divides cpus: with two, the arms and the origin share the second;
// with three or more each part has one. With a single CPU nothing is pinned.
func layOut(cpus []int) layout {
	switch {
	case len(cpus) < 2:
		return layout{}
	case len(cpus) == 2:
		return layout{generator: cpus[:1], arms: cpus[1:], origin: cpus[1:]}
	}
	return layout{generator: cpus[:1], arms: cpus[1:2], origin: cpus[2:3]}
}

// pinning is the layout as the manifest shows it.
func (l layout) pinning() map[string]string {
	list := func(cpus []int) string {
		if cpus == nil {
			return "all"
		}
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ","), "[]")
	}
	return map[string]string{"generator": list(l.generator), "arms": list(l.arms), "origin": list(l.origin)}
}

// allowedCPUs returns the CPUs that this process may use.
func allowedCPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("reading the CPU affinity: %w", err)
	}
	var cpus []int
	for c := range len(set) * 64 {
		if set.IsSet(c) {
			cpus = append(cpus, c)
		}
	}
	return cpus, nil
}

// pinSelf makes this process a generator and returns what undoes it. Its
// collector is set as load.GCPercent says, and every thread is restricted to
// cpus, nil for all. The number of running goroutines is then fixed at two or
// more: with one, a spinning pacer starves the readers.
func pinSelf(cpus []int) (undo func(), err error) {
	percent, procs := debug.SetGCPercent(load.GCPercent), runtime.GOMAXPROCS(0)
	unpin, err := pin(cpus)
	if err != nil {
		debug.SetGCPercent(percent)
		return nil, err
	}
	return func() {
		unpin()
		runtime.GOMAXPROCS(procs) // which several colos raise
		debug.SetGCPercent(percent)
	}, nil
}

// pin restricts every thread of this process to cpus, unless they are nil.
func pin(cpus []int) (undo func(), err error) {
	if cpus == nil {
		return func() {}, nil
	}
	before, err := allowedCPUs()
	if err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	if err := setAffinity(cpus); err != nil {
		return nil, err
	}
	return func() { _ = setAffinity(before) }, nil // it was allowed before
}

// setAffinity restricts every thread of this process. A thread started while
// it reads the list has the restriction of its creator, so it looks twice.
func setAffinity(cpus []int) error {
	var set unix.CPUSet
	for _, c := range cpus {
		set.Set(c)
	}
	for range 2 {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("listing threads: %w", err)
		}
		for _, task := range tasks {
			tid, err := strconv.Atoi(task.Name())
			if err != nil {
				return fmt.Errorf("listing threads: %w", err)
			}
			if err := unix.SchedSetaffinity(tid, &set); err != nil && err != unix.ESRCH {
				return fmt.Errorf("pinning to CPUs %v: %w", cpus, err)
			}
		}
	}
	return nil
}
