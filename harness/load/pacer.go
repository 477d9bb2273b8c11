package load

import (
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// spinBefore is how long before a due instant the pacer stops sleeping and
// spins. Measured pinned at 5,000/s: 15 µs give a lateness of 18 µs at p50 and
// 42 µs CPU a request; 100 µs the same lateness for 96 µs CPU.
const spinBefore = 15 * time.Microsecond

// longestSleep bounds one sleep, so that a stopped engine sees it in time, and
// because epoll lets the kernel end a sleep late by a thousandth of its length.
const longestSleep = 10 * time.Millisecond

// pacer waits for due instants. It is used by one goroutine, which it locks to
// its thread: the kernel's timer slack is set to 1 ns there (50 µs by default).
type pacer struct {
	start  time.Time
	spin   time.Duration
	locked bool
	stop   atomic.Bool
}

// lock takes the goroutine's thread. The goroutine must not unlock it: the
// thread, with its timer slack, is to end with the goroutine.
func (p *pacer) lock() {
	if p.locked {
		return
	}
	p.locked = true
	runtime.LockOSThread()
	// Older kernels know no other value than the default; pacing is then less exact.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
}

// wait returns at due, or later when it is called late, with the instant of
// its return. False: it was stopped.
func (p *pacer) wait(due time.Duration) (time.Duration, bool) {
	p.lock()
	for {
		now := time.Since(p.start)
		ahead := due - spinBefore - now
		if p.stop.Load() {
			return now, false
		}
		if ahead <= 0 {
			return p.spinUntil(due, now), true
		}
		t := unix.NsecToTimespec(int64(min(ahead, longestSleep)))
		_ = unix.Nanosleep(&t, nil) // interrupted: the loop goes on sleeping
	}
}

// spinUntil reads the clock until due and adds the time that took to p.spin.
func (p *pacer) spinUntil(due, from time.Duration) time.Duration {
	now := from
	for now < due {
		now = time.Since(p.start)
	}
	p.spin += now - from
	return now
}
