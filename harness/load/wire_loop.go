package load

import (
	"sync/atomic"
	"syscall"
	"time"

	"switchback/results/record"
)

// loop is one call of Stream.
type loop struct {
	*wireEngine
	start  time.Time
	feed   Feed
	closed bool // a closed loop: a request is due when a connection is free
	most   int  // open connections
	stop   atomic.Bool
	counts Counts

	unopened map[attempts]int      // dials that failed, by what became of them
	limits   map[syscall.Errno]int // requests that failed for a limit of ours

	armed   time.Duration // when the timer will end a wait; unarmed: it is not set
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
		if event.Fd >= 0 {
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
			if l.waiting.n+l.flying.n >= l.most {
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
		l.late(l.flying.first)
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
