package load

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// await waits for answers until the next instant at which there is something
// to do, and handles them. Close to a due instant it does not sleep but spins.
func (l *loop) await() error {
	from := l.now()
	wake := l.wake(from)
	l.yield(from, wake)
	events, err := l.events(from, wake)
	answers := 0
	for _, event := range events {
		if event.Fd == timerSlot {
			l.woken(wake)
			continue
		}
		l.handle(event)
		answers++
	}
	switch {
	case answers > 0:
		l.assign()
	case wake <= from:
		l.counts.Spin += l.now() - from
	}
	return err
}

// The loop yields to the scheduler this often, when nothing is due soon. To a
// scheduler that does not see it for 10 ms it is a long-running goroutine, whose
// processor is to be taken away at each wait: the runtime's monitor then looks
// every 20 µs instead of every 10 ms, which costs 9 µs CPU a request at 5,000/s.
const (
	yieldEvery = 4 * time.Millisecond
	yieldAhead = 50 * time.Microsecond
)

func (l *loop) yield(now, wake time.Duration) {
	if now-l.yielded > yieldEvery && (l.closed || wake-now > yieldAhead) {
		runtime.Gosched()
		l.yielded = now
	}
}

// events returns those there are when wake is past, else the first to come
// until then. The timer is left alone where it is set to wake already.
func (l *loop) events(from, wake time.Duration) ([]unix.EpollEvent, error) {
	if wake <= from {
		return l.poll.now()
	}
	if wake != l.armed {
		if err := l.poll.arm(wake - from); err != nil {
			return nil, err
		}
		l.armed = wake
	}
	return l.poll.wait()
}

// woken learns from the instant at which the timer ended the wait.
func (l *loop) woken(wake time.Duration) {
	l.armed = 0
	if overshoot := l.now() - wake; overshoot >= 0 {
		l.margin.learn(overshoot)
	}
}

// wake returns until when the loop may sleep at now; now, if it may not.
func (l *loop) wake(now time.Duration) time.Duration {
	if l.pending && l.closed && l.waiting.n+l.flying.n < l.limit {
		return now
	}
	at := l.latest(now)
	if l.pending && !l.closed {
		at = min(at, l.next.Due-l.margin.get())
	}
	if deadline, ok := l.deadline(); ok {
		at = min(at, deadline)
	}
	return at
}

// latest returns the end of the longest sleep that begins at now. It stays
// the same for half of it, so that the timer need not be set again each time.
func (l *loop) latest(now time.Duration) time.Duration {
	return now.Truncate(longestSleep/2) + longestSleep
}
