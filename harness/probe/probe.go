// Package probe reads from outside what arms and the machine do: CPU time by
// the kernel's process clocks, memory by /proc, the steal and foreign load of
// the machine, and the generator's own hiccups and pauses.
//
// It needs no help from what it measures. Readings cover whole process trees.
// It judges nothing: whether a reading makes a measurement invalid is decided
// elsewhere.
package probe

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Probe reads processes and the machine.
type Probe struct {
	sys system
	fs  procfs.FS
}

// system is what the package asks of the operating system.
type system struct {
	proc  string                                  // mount point of procfs
	self  int                                     // our process
	clock func(pid int) (time.Duration, error)    // CPU time of a process, of all its threads
	nap   func(time.Duration)                     // sleeps on the caller's thread, without the runtime's timers
	cpus  func() (int, error)                     // CPUs that we may use
	clear func(path string, command string) error // writes to a file of procfs
}

// New returns a probe of this machine.
func New() (*Probe, error) {
	return newProbe(system{
		proc: procfs.DefaultMountPoint, self: os.Getpid(), clock: processClock, nap: nap, cpus: allowedCPUs,
		clear: func(path, command string) error { return os.WriteFile(path, []byte(command), 0) },
	})
}

func newProbe(sys system) (*Probe, error) {
	fs, err := procfs.NewFS(sys.proc)
	if err != nil {
		return nil, fmt.Errorf("reading processes: %w", err)
	}
	return &Probe{sys: sys, fs: fs}, nil
}

// processClock reads the CPU clock of a process to the nanosecond. The id of
// the clock is made as clock_getcpuclockid(3) does: the complement of the
// process id, shifted by three, and 2 for the scheduler's clock.
func processClock(pid int) (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil {
		return 0, fmt.Errorf("reading the CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// nap sleeps by nanosleep(2); time.Sleep would measure the runtime's timers.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil) // a signal only ends it early
}

func allowedCPUs() (int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return runtime.NumCPU(), fmt.Errorf("reading the CPU affinity: %w", err)
	}
	return set.Count(), nil
}
