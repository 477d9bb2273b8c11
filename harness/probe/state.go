package probe

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// machineState is what is read at both ends of a watch.
type machineState struct {
	at     time.Time
	own    time.Duration         // CPU time of this process
	ours   time.Duration         // CPU time of all trees that are ours, ended children included
	others map[int]time.Duration // CPU time of each other process
	ticks  cpuTicks
}

// cpuTicks is what /proc/stat says: seconds on all CPUs, counted in ticks.
type cpuTicks struct {
	busy  float64 // running anything
	steal float64 // taken by the hypervisor
	cpus  int
}

func (p *Probe) machineState(trees []Tree) (machineState, error) {
	var s machineState
	var err error
	if s.own, err = p.sys.clock(p.sys.self); err != nil {
		return s, err
	}
	ours := map[int]bool{}
	for _, t := range trees {
		pids, err := p.processes(t)
		if err != nil {
			return s, err
		}
		for _, pid := range pids {
			ours[pid] = true
		}
	}
	s.at = time.Now()
	if err := p.clocks(ours, &s); err != nil {
		return s, err
	}
	s.ticks, err = p.cpuTicks()
	return s, err
}

// othersSince returns the CPU time that processes which are not ours used.
func (s machineState) othersSince(before machineState) time.Duration {
	var sum time.Duration
	for pid, used := range s.others {
		sum += max(used-before.others[pid], 0)
	}
	return sum
}

// clocks reads the CPU clock of every process that is visible into s.
func (p *Probe) clocks(ours map[int]bool, s *machineState) error {
	dir, err := os.Open(p.sys.proc)
	if err != nil {
		return fmt.Errorf("listing processes: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return fmt.Errorf("listing processes: %w", err)
	}
	s.others = make(map[int]time.Duration, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // not a process
		}
		used, err := p.sys.clock(pid)
		switch {
		case err != nil: // it has ended
		case ours[pid]:
			s.ours += used + p.ended(pid)
		default:
			s.others[pid] = used
		}
	}
	return nil
}

func (p *Probe) cpuTicks() (cpuTicks, error) {
	stat, err := p.fs.Stat()
	if err != nil {
		return cpuTicks{}, fmt.Errorf("reading the machine's CPU time: %w", err)
	}
	t := stat.CPUTotal // guest time is part of user time
	return cpuTicks{
		busy:  t.User + t.Nice + t.System + t.IRQ + t.SoftIRQ,
		steal: t.Steal,
		cpus:  len(stat.CPU),
	}, nil
}
