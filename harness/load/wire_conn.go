package load

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"switchback/results/record"
)

// conn is one connection. It is unused (in idle), or flying: dialling or busy
// with a request.
type conn struct {
	fd         int
	slot       int32
	generation int32 // told apart from the connections that had its slot before
	host       string
	used       bool // it has answered a request

	dialling bool
	from     int // the address that its dial began with
	dials    int // the addresses that it tried
	address  int // the one that it tried last
	tried    attempts

	request  Request
	unsent   bool   // nothing of the request was written
	severed  bool   // writing failed: what was read before is all there is
	out      []byte // what is left to write
	answer   answer
	deadline time.Duration
	before   *conn // in flying
	after    *conn
}

// place returns a connection for a request to host: an unused one, or a new
// one while the limit allows.
func (l *loop) place(host string) (*conn, bool) {
	if l.flying.n >= l.most {
		return nil, false
	}
	if i := l.match(host); i >= 0 {
		c := l.idle[i]
		l.idle = append(l.idle[:i], l.idle[i+1:]...)
		return c, true
	}
	if l.flying.n+len(l.idle) >= l.most {
		l.drop(l.idle[0]) // of another host, unused for longest
	}
	return l.blank(host), true
}

// match returns the index of the unused connection to take, -1 for none.
func (l *loop) match(host string) int {
	last := len(l.idle) - 1
	if l.options.Pooling != PoolHost {
		return last
	}
	for i := last; i >= 0; i-- {
		if l.idle[i].host == host {
			return i
		}
	}
	return -1
}

// blank returns a connection that is not yet dialled.
func (e *wireEngine) blank(host string) *conn {
	if n := len(e.spare); n > 0 {
		c := e.spare[n-1]
		e.spare = e.spare[:n-1]
		c.host = host
		return c
	}
	c := &conn{fd: -1, slot: int32(len(e.conns)), host: host}
	e.conns = append(e.conns, c)
	return c
}

// drop closes a connection that carries no request.
func (e *wireEngine) drop(c *conn) {
	for i, other := range e.idle {
		if other == c {
			e.idle = append(e.idle[:i], e.idle[i+1:]...)
			break
		}
	}
	c.hangUp()
	e.spare = append(e.spare, c)
}

// hangUp closes the descriptor; its events still to come are of an old
// generation.
func (c *conn) hangUp() {
	if c.fd >= 0 {
		_ = unix.Close(c.fd)
	}
	c.fd, c.used, c.dialling, c.out = -1, false, false, c.out[:0]
	c.generation++
}

// send puts a request on a connection, which it dials if need be.
func (l *loop) send(c *conn, request Request) {
	c.request, c.severed = request, false
	c.answer.reset(request.Target.Method == "HEAD")
	l.flying.add(c, l.now()+l.options.Timeout)
	if c.fd < 0 {
		l.counts.Dials++
		request.Sample.NewConn = true
		c.from, c.dials, c.tried = int(l.addresses.chosen.Load()), 0, attempts{}
		l.dial(c)
		return
	}
	l.counts.Reused++
	l.write(c)
}

// write sends the head of the request; its instant is taken just before.
func (l *loop) write(c *conn) {
	text := l.render.request(c.request.Target, c.request.Sample.TraceID, &l.options)
	now := l.now()
	c.request.Sample.Sent = int64(now)
	l.flying.move(c, now+l.options.Timeout)
	n, errno := writeNow(c.fd, text)
	c.unsent = errno != 0
	switch {
	case errno == syscall.EAGAIN:
		c.out = append(c.out[:0], text...)
	case errno != 0:
		l.sever(c, errno)
	case n < len(text):
		c.out = append(c.out[:0], text[n:]...)
	}
}

// handle takes one event.
func (l *loop) handle(event unix.EpollEvent) {
	c := l.conns[event.Fd]
	if c.generation != event.Pad || c.fd < 0 {
		return // of a connection closed since
	}
	if c.dialling {
		l.dialled(c, event.Events)
		return
	}
	if event.Events&unix.EPOLLOUT != 0 && len(c.out) > 0 && !l.writeRest(c) {
		return
	}
	if event.Events&^unix.EPOLLOUT != 0 {
		l.read(c, event.Events&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0)
	}
}

// writeRest goes on with a request that did not fit; false: the connection broke.
func (l *loop) writeRest(c *conn) bool {
	n, errno := writeNow(c.fd, c.out)
	switch {
	case errno == syscall.EAGAIN:
	case errno != 0:
		l.sever(c, errno)
		return false
	default:
		c.unsent = false
		c.out = c.out[:copy(c.out, c.out[n:])]
	}
	return true
}

// sever is called when writing failed. The server may have answered before it
// stopped reading, a 413 for instance: what has arrived is read, and decides.
func (l *loop) sever(c *conn, errno syscall.Errno) {
	if errno == syscall.ENOBUFS || errno == syscall.ENOMEM {
		l.limit(c, errno)
		return
	}
	c.out, c.severed = c.out[:0], true
	l.read(c, true)
}

// read takes what has arrived. Edge-triggered, it must read until nothing is
// left: a read that did not fill the buffer says so, unless the other side has
// also ended the connection.
func (l *loop) read(c *conn, ending bool) {
	for {
		n, errno := readNow(c.fd, l.scratch)
		switch {
		case errno == syscall.EAGAIN && !c.severed:
			return
		case errno == syscall.EINTR:
			continue
		case errno != 0:
			l.broken(c)
			return
		case n == 0:
			l.ended(c)
			return
		}
		if !l.take(c, l.scratch[:n], ending) || n < len(l.scratch) && !ending {
			return
		}
	}
}

// take gives the bytes to the answer; false: no more are to be read.
func (l *loop) take(c *conn, p []byte, ending bool) bool {
	if c.request.Sample == nil { // nobody asked
		l.drop(c)
		return false
	}
	used, err := c.answer.feed(p, int64(l.now()))
	switch {
	case err != nil:
		l.fail(c, record.ErrMalformed)
		return false
	case c.answer.phase == complete:
		c.answer.close = c.answer.close || ending || used < len(p) || len(c.out) > 0
		l.finish(c)
		return false
	}
	return true
}

// ended is called at the end of the stream, in an answer or between two.
func (l *loop) ended(c *conn) {
	switch {
	case c.request.Sample == nil:
		l.drop(c)
	case c.answer.end() != nil:
		l.broken(c)
	default:
		c.answer.close = true
		l.finish(c)
	}
}
