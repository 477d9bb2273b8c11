package load

import (
	"math"
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
		switch event.Fd {
		case timerSlot:
			l.woken()
		case bellSlot: // the loop looks whether it is to stop
		default:
			l.handle(event)
			answers++
		}
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
// until then. A timer that ends the wait early enough is left alone: setting it
// costs more than a wait that ends for nothing. So a time-out, which moves
// with every answer, is looked at when the one it was set to would have passed.
func (l *loop) events(from, wake time.Duration) ([]unix.EpollEvent, error) {
	if wake <= from {
		return l.poll.now()
	}
	if l.armed == unarmed || l.armed > wake {
		if err := l.poll.arm(wake - from); err != nil {
			return nil, err
		}
		l.armed = wake
	}
	return l.poll.wait()
}

// woken learns from the instant at which the timer ended the wait.
func (l *loop) woken() {
	if overshoot := l.now() - l.armed; l.armed != unarmed && overshoot >= 0 {
		l.margin.learn(overshoot)
	}
	l.armed = unarmed
}

// unarmed is the value of loop.armed while the timer is not set.
const unarmed = time.Duration(math.MinInt64)

// wake returns until when the loop may sleep at now; now, if it may not. It
// has no other end than the next due instant and the next time-out: each wake
// costs half a millisecond of CPU, most of it in the runtime's monitor, which
// looks every 20 µs for a while after it.
func (l *loop) wake(now time.Duration) time.Duration {
	if l.pending && l.closed && l.waiting.n+l.flying.n < l.most {
		return now
	}
	at := time.Duration(math.MaxInt64)
	if l.pending && !l.closed {
		at = min(at, l.next.Due-l.margin.get())
	}
	if deadline, ok := l.deadline(); ok {
		at = min(at, deadline)
	}
	return at
}
