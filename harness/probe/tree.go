package probe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Tree is a process and all its descendants. Own says that the root itself
// counts; a keeper that only holds an arm together does not. Or it is all
// processes of a cgroup. The zero value is no process.
type Tree struct {
	PID    int
	Own    bool
	More   []int  // further roots that count, as of an arm of several processes
	Cgroup string // folder of the cgroup, in place of a process
}

// Known tells whether there is anything to read.
func (t Tree) Known() bool { return t.PID != 0 || t.Cgroup != "" }

// maxProcesses bounds a tree; a larger one is an error.
const maxProcesses = 4096

// ticksPerSecond is the kernel's USER_HZ, 100 on every architecture that Go
// runs on.
const ticksPerSecond = 100

// processes returns the processes of a tree that count, the root first.
func (p *Probe) processes(t Tree) ([]int, error) {
	if t.Cgroup != "" {
		return p.members(t.Cgroup)
	}
	all := append([]int{t.PID}, t.More...)
	for i := 0; i < len(all); i++ {
		children, err := p.children(all[i])
		if err != nil {
			return nil, err
		}
		all = append(all, children...)
		if len(all) > maxProcesses {
			return nil, fmt.Errorf("process %d has more than %d descendants", t.PID, maxProcesses)
		}
	}
	if !t.Own {
		all = all[1:]
	}
	return all, nil
}

// children returns the children of a process, by all of its threads. One that
// has ended has none.
func (p *Probe) children(pid int) ([]int, error) {
	tasks := filepath.Join(p.sys.proc, strconv.Itoa(pid), "task")
	threads, err := os.ReadDir(tasks)
	if err != nil {
		return nil, unlessGone(err)
	}
	var children []int
	for _, thread := range threads {
		data, err := os.ReadFile(filepath.Join(tasks, thread.Name(), "children"))
		if err != nil {
			if err = unlessGone(err); err != nil {
				return nil, err
			}
			continue
		}
		for _, field := range strings.Fields(string(data)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				return nil, fmt.Errorf("children of process %d: %w", pid, err)
			}
			children = append(children, child)
		}
	}
	return children, nil
}

// unlessGone returns nil for the errors of a process that has ended.
func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return fmt.Errorf("reading a process: %w", err)
}

// CPU returns the CPU time that a tree has used since its start: the process
// clocks of those that run, to the nanosecond, and of those that have ended
// and been waited for, in ticks of 10 ms.
func (p *Probe) CPU(t Tree) (time.Duration, error) {
	if used, ok := usageOf(t.Cgroup); ok {
		return used, nil
	}
	pids, err := p.processes(t)
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, pid := range pids {
		d, err := p.sys.clock(pid)
		if err != nil {
			if err = unlessGone(err); err != nil {
				return 0, err
			}
			continue
		}
		sum += d + p.ended(pid)
	}
	if !t.Own && t.Cgroup == "" {
		sum += p.ended(t.PID)
	}
	return sum, nil
}

// ended returns the CPU time of a process's children that have ended; 0 when
// it has ended itself.
func (p *Probe) ended(pid int) time.Duration {
	proc, err := p.fs.Proc(pid)
	if err != nil {
		return 0
	}
	stat, err := proc.Stat()
	if err != nil {
		return 0
	}
	return time.Duration(stat.CUTime+stat.CSTime) * time.Second / ticksPerSecond
}
