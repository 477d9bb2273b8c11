package load

import (
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// longestSleep bounds one sleep, so that a stopped engine sees it in time.
const longestSleep = 20 * time.Millisecond

// pacer waits for due instants. It is used by one goroutine, which it locks to
// its thread: the kernel's timer slack is set to 1 ns there (50 µs by default).
// time.Sleep is no use here: it rounds to a millisecond.
type pacer struct {
	start  time.Time
	spin   time.Duration
	margin margin
	locked bool
	stop   atomic.Bool
}

// lock locks the calling goroutine to its thread and makes the thread's timers
// precise. It is not undone: the thread is to end with its goroutine.
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
		ahead := due - p.margin.get() - now
		if p.stop.Load() {
			return now, false
		}
		if ahead <= 0 {
			return p.spinUntil(due, now), true
		}
		p.sleep(now, min(ahead, longestSleep))
	}
}

// sleep sleeps from now on, for ahead.
func (p *pacer) sleep(now, ahead time.Duration) {
	t := unix.NsecToTimespec(int64(ahead))
	if unix.Nanosleep(&t, nil) == nil { // else interrupted: the caller goes on
		p.margin.learn(time.Since(p.start) - now - ahead)
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
