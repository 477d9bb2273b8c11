package load

import (
	"time"

	"switchback/results/record"
	"switchback/targets"
)

// finish ends a request that was answered.
func (l *loop) finish(c *conn) {
	s := c.request.Sample
	s.Done = int64(l.now())
	s.Status, s.Bytes, s.BodyHash = int16(c.answer.status), c.answer.bytes, c.answer.checksum
	s.FirstByte, s.Protocol = c.answer.firstByte, c.answer.protocol()
	s.ServerTiming = l.keep(s.ServerTiming, c.answer.timing)
	s.Error = judge(c.request.Target, s)
	c.used = true
	l.flying.remove(c)
	c.request = Request{}
	if c.answer.close || l.options.Pooling == PoolNone {
		l.drop(c)
	} else {
		l.idle = append(l.idle, c)
	}
	l.feed.Ended(s)
	if l.closed {
		l.release() // the next request, at once
	}
}

// fail ends the request of a connection with an error, and the connection.
func (l *loop) fail(c *conn, kind record.ErrorKind) {
	request := c.request
	if kind == record.ErrDial {
		l.unopened[c.tried]++
	}
	if c.answer.begun {
		request.Sample.FirstByte = c.answer.firstByte
		request.Sample.Status, request.Sample.Protocol = int16(c.answer.status), c.answer.protocol()
		request.Sample.RightStatus = c.answer.phase > inFields && rightStatus(request.Target, c.answer.status)
	}
	l.flying.remove(c)
	c.request = Request{}
	l.drop(c)
	l.end(request, kind)
}

// broken is called when a connection broke under its request. One that the
// server closed between two requests has lost nothing: as net/http does, a
// request that may be repeated, or of which nothing was written, is sent again
// on another connection. Any other may have been lost or not: it is closed.
func (l *loop) broken(c *conn) {
	if c.request.Sample == nil {
		l.drop(c)
		return
	}
	switch {
	case !c.used || c.answer.begun:
		l.fail(c, record.ErrReset)
		return
	case !c.unsent && !repeatable(c.request.Target):
		l.fail(c, record.ErrClosed)
		return
	}
	request := c.request
	l.flying.remove(c)
	c.request = Request{}
	l.drop(c)
	l.counts.Reused--
	request.Sample.Sent = record.Never
	l.waiting.pushFront(request)
}

// repeatable reports whether a request may be sent twice (RFC 9110 §9.2.2).
func repeatable(target *targets.Target) bool {
	switch target.Method {
	case "", "GET", "HEAD", "OPTIONS", "TRACE":
		return true
	}
	return false
}

// slabBytes is how much space for Server-Timing values is allocated at once.
const slabBytes = 64 << 10

// keep copies value into kept if there is room, else into the slab.
func (e *wireEngine) keep(kept, value []byte) []byte {
	if len(value) <= cap(kept) {
		return append(kept[:0], value...)
	}
	if len(value) > len(e.slab) {
		e.slab = make([]byte, max(slabBytes, len(value)))
	}
	kept, e.slab = e.slab[:len(value):len(value)], e.slab[len(value):]
	copy(kept, value)
	return kept
}

// flying holds the connections that carry a request, by deadline: all have
// one time-out, so the one touched last is the last to pass it.
type flying struct {
	first, last *conn
	n           int
}

func (f *flying) add(c *conn, deadline time.Duration) {
	c.deadline, c.before, c.after = deadline, f.last, nil
	if f.last == nil {
		f.first = c
	} else {
		f.last.after = c
	}
	f.last = c
	f.n++
}

func (f *flying) remove(c *conn) {
	if c.before == nil {
		f.first = c.after
	} else {
		c.before.after = c.after
	}
	if c.after == nil {
		f.last = c.before
	} else {
		c.after.before = c.before
	}
	c.before, c.after = nil, nil
	f.n--
}

// move gives c a later deadline.
func (f *flying) move(c *conn, deadline time.Duration) {
	f.remove(c)
	f.add(c, deadline)
}
