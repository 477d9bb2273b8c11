package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"switchback/results/record"
)

// wireEngine is our own HTTP/1.1 sender. One thread does everything: it waits
// for due instants and for answers in one epoll call, so no request changes
// hands between a pacer and a worker, and an answer that arrives while the
// next request is awaited is read at once. It costs the system calls (a wait,
// a read and a write a request) and little else.
//
// Connections are opened when they are needed, up to the limit, and the one
// used last is used first. A request that finds none waits in a queue, first
// in, first out.
type wireEngine struct {
	options Options
	address unix.Sockaddr
	family  int
	poll    *poll
	conns   []*conn // by slot
	spare   []*conn // closed, their buffers kept
	idle    []*conn // open and unused; the last was used last
	scratch []byte  // what a read gets, shared by all connections
	margin  margin
	slab    []byte // space for Server-Timing values
}

const scratchBytes = 64 << 10

func newWire(options Options) (*wireEngine, error) {
	if options.TLS {
		return nil, errors.New("engine wire speaks HTTP/1.1 in clear text only: use vegeta for https")
	}
	address, err := net.ResolveTCPAddr("tcp", options.Address)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", options.Address, err)
	}
	e := &wireEngine{options: options, scratch: make([]byte, scratchBytes)}
	e.address, e.family = socketAddress(address)
	if e.poll, err = newPoll(); err != nil {
		return nil, err
	}
	return e, nil
}

func socketAddress(a *net.TCPAddr) (unix.Sockaddr, int) {
	if ip := a.IP.To4(); ip != nil || len(a.IP) == 0 {
		to := &unix.SockaddrInet4{Port: a.Port, Addr: [4]byte{127, 0, 0, 1}}
		if ip != nil {
			copy(to.Addr[:], ip)
		}
		return to, unix.AF_INET
	}
	to := &unix.SockaddrInet6{Port: a.Port}
	copy(to.Addr[:], a.IP.To16())
	if zone, err := net.InterfaceByName(a.Zone); err == nil {
		to.ZoneId = uint32(zone.Index)
	}
	return to, unix.AF_INET6
}

// Close implements Engine.
func (e *wireEngine) Close() {
	for len(e.idle) > 0 {
		e.drop(e.idle[len(e.idle)-1])
	}
	e.poll.close()
}

// Stream implements Engine. The loop runs in the caller's goroutine.
func (e *wireEngine) Stream(ctx context.Context, start time.Time, n int, feed Feed) (Counts, error) {
	l := &loop{wireEngine: e, start: start, feed: feed, closed: n > 0, limit: e.options.Connections}
	if n > 0 {
		l.limit = n
	}
	defer context.AfterFunc(ctx, func() { l.stop.Store(true) })()
	if err := l.run(); err != nil {
		return l.counts, err
	}
	return l.counts, ctx.Err()
}

// loop is one call of Stream.
type loop struct {
	*wireEngine
	start  time.Time
	feed   Feed
	closed bool // a closed loop: a request is due when a connection is free
	limit  int  // of open connections
	stop   atomic.Bool
	counts Counts

	epoch   time.Duration // the start on CLOCK_MONOTONIC
	yielded time.Duration // the loop yielded last

	next    Request // the request to be released next
	pending bool    // there is one
	waiting queue   // released, without a connection
	flying  flying  // on a connection, by deadline
	render  render
}

// now returns the time since the start of the block.
func (l *loop) now() time.Duration { return time.Since(l.start) }

// run sends until every request has ended, or until it is stopped.
func (l *loop) run() error {
	l.epoch = monotonic() - l.now()
	if err := l.sweep(); err != nil {
		return err
	}
	l.pull()
	for l.pending || l.waiting.n > 0 || l.flying.n > 0 {
		if l.stop.Load() {
			l.abandon()
			return nil
		}
		l.release()
		l.expire()
		if !l.pending && l.waiting.n == 0 && l.flying.n == 0 {
			break
		}
		if err := l.await(); err != nil {
			l.abandon()
			return err
		}
	}
	return nil
}

// sweep drops the connections that the server has closed since the last call.
func (l *loop) sweep() error {
	events, err := l.poll.now()
	for _, event := range events {
		if event.Fd != timerSlot {
			l.handle(event)
		}
	}
	return err
}

// pull takes the next request from the feed.
func (l *loop) pull() { l.next, l.pending = l.feed.Next() }

// releaseBatch bounds how many late requests are released before answers are
// looked at again.
const releaseBatch = 16

// release lets go of what is due, or, in a closed loop, of what the
// connections allow.
func (l *loop) release() {
	for range releaseBatch {
		now := l.now()
		switch {
		case !l.pending:
			return
		case l.closed:
			if l.waiting.n+l.flying.n >= l.limit {
				return
			}
			l.next.Sample.Due = int64(now)
		case l.next.Due > now:
			return
		default:
			l.next.Sample.Due = int64(l.next.Due)
		}
		l.next.Sample.Released = int64(now)
		l.counts.Released++
		l.waiting.push(l.next)
		l.pull()
		l.assign()
	}
}

// assign gives waiting requests to connections, in their order.
func (l *loop) assign() {
	for l.waiting.n > 0 {
		c, ok := l.place(l.waiting.front().Target.Host)
		if !ok {
			return
		}
		l.send(c, l.waiting.pop())
	}
}

// await waits for answers until the next instant at which there is something
// to do, and handles them. Close to a due instant it does not sleep but spins.
func (l *loop) await() error {
	from := l.now()
	wake := l.wake(from)
	l.yield(from, wake)
	var events []unix.EpollEvent
	var err error
	if wake <= from {
		events, err = l.poll.now()
	} else {
		events, err = l.poll.until(l.epoch + wake)
	}
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
// every 20 µs instead of every 10 ms, which costs 8 µs CPU a request at 5,000/s.
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

// woken learns from the instant at which the timer ended the wait.
func (l *loop) woken(wake time.Duration) {
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

// deadline returns when the first request will have timed out.
func (l *loop) deadline() (time.Duration, bool) {
	deadline, ok := time.Duration(0), false
	if l.flying.n > 0 {
		deadline, ok = l.flying.first.deadline, true
	}
	if l.waiting.n > 0 {
		if d := time.Duration(l.waiting.front().Sample.Released) + l.options.Timeout; !ok || d < deadline {
			deadline, ok = d, true
		}
	}
	return deadline, ok
}

// expire ends what has timed out, on a connection or waiting for one.
func (l *loop) expire() {
	now := l.now()
	for l.flying.n > 0 && l.flying.first.deadline <= now {
		l.fail(l.flying.first, record.ErrTimeout)
	}
	for l.waiting.n > 0 && time.Duration(l.waiting.front().Sample.Released)+l.options.Timeout <= now {
		l.end(l.waiting.pop(), record.ErrTimeout)
	}
}

// abandon ends everything as unanswered.
func (l *loop) abandon() {
	for l.flying.n > 0 {
		l.fail(l.flying.first, record.ErrUnanswered)
	}
	for l.waiting.n > 0 {
		l.end(l.waiting.pop(), record.ErrUnanswered)
	}
	if l.pending {
		l.feed.Ended(l.next.Sample)
	}
}

// end gives the sample of a request back, with its error.
func (l *loop) end(request Request, kind record.ErrorKind) {
	request.Sample.Error = kind
	request.Sample.Done = int64(l.now())
	l.feed.Ended(request.Sample)
}
