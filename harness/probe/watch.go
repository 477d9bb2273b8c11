package probe

import (
	"math"

	"switchback/results/record"
)

// MachineWatch reads the machine and this process until it is stopped.
type MachineWatch struct {
	probe   *Probe
	ours    []Tree
	before  machineState
	pauses  pauses
	hiccups *hiccups
}

// WatchMachine starts reading the machine. This process and its descendants
// are ours, and so are the trees named: servers that were running before.
func (p *Probe) WatchMachine(others []Tree) (*MachineWatch, error) {
	w := &MachineWatch{probe: p, ours: []Tree{{PID: p.sys.self, Own: true}}}
	for _, t := range others {
		w.ours = append(w.ours, Tree{PID: t.PID, Own: true, Cgroup: t.Cgroup})
	}
	var err error
	if w.before, err = p.machineState(w.ours); err != nil {
		return nil, err
	}
	w.pauses = readPauses()
	w.hiccups = p.watchHiccups()
	return w, nil
}

// Reading is what the machine did during a watch. Spin and LatenessP99 of the
// generator's part are not known here and left 0.
type Reading struct {
	record.Generator
	Hiccups *record.Histogram // overshoots of 1 ms sleeps
}

// Stop ends the watch. Shares are of the elapsed time on all CPUs.
func (w *MachineWatch) Stop() (Reading, error) {
	var r Reading
	r.Hiccups = w.hiccups.end()
	r.GCPauses, r.GCPauseMax = readPauses().since(w.pauses)
	after, err := w.probe.machineState(w.ours)
	if err != nil {
		return r, err
	}
	r.CPU = (after.own - w.before.own).Seconds()
	r.HiccupP99 = r.Hiccups.Statistic("p99")
	r.HiccupMax = r.Hiccups.Statistic("max")
	r.Steal, r.Foreign = shares(w.before, after)
	return r, nil
}

// shares returns the CPU time that was stolen and used by others, as shares.
//
// Others are summed by their process clocks, to the nanosecond. What the
// machine counts as busy beyond that also covers processes that we cannot
// see, but in ticks: whoever runs at a tick is charged with all of it. So the
// rest counts only as far as it exceeds three standard errors of that
// sampling, at most 1.5·√n ticks for n of them.
func shares(before, after machineState) (steal, foreign float64) {
	all := after.at.Sub(before.at).Seconds() * float64(after.ticks.cpus)
	if all <= 0 {
		return 0, 0
	}
	ours := max(after.ours-before.ours, 0).Seconds()
	others := after.othersSince(before).Seconds()
	sampling := 1.5 * math.Sqrt(all*ticksPerSecond) / ticksPerSecond
	unseen := max(after.ticks.busy-before.ticks.busy-ours-others-sampling, 0)
	return (after.ticks.steal - before.ticks.steal) / all, (others + unseen) / all
}
