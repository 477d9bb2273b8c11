package load

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// dial opens a connection to the first of the addresses that takes it.
func (e *vegetaEngine) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	e.dials.Add(1)
	ctx, cancel := context.WithTimeout(ctx, e.options.Timeout)
	defer cancel()
	dialer := &net.Dialer{KeepAlive: 30 * time.Second}
	failed := &dialError{addresses: e.addresses}
	from := int(e.addresses.chosen.Load())
	for n := 0; ; n++ {
		i, ok := e.addresses.at(from, n)
		if !ok {
			return nil, failed
		}
		conn, err := dialer.DialContext(ctx, network, e.addresses.list[i].String())
		if err == nil {
			e.addresses.choose(i)
			e.opened.Add(1)
			return &earlyConn{Conn: conn}, nil
		}
		errno := errnoOf(err)
		if failed.tried[i] = errno; e.addresses.limited(i, errno) {
			failed.limit = errno
			return nil, failed
		}
		if ctx.Err() != nil {
			e.addresses.choose(i + 1) // the next dial begins with another
			return nil, failed
		}
	}
}

// earlyConn lets an answer through that the server sent before it stopped
// reading, such as a 413. net/http gives a request up, and its connection, as
// soon as writing fails. So a write that fails in the middle of a request is
// not reported: reading goes on, and finds the answer or how the connection
// ended. One that fails at the begin of a request, on a connection that has
// served before, is reported: net/http then sends the request on another.
type earlyConn struct {
	net.Conn
	unsent atomic.Bool // it has served before, and nothing of the request at hand was written
}

// begin is called when conn gets a request; reused: it has served before.
func begin(conn net.Conn, reused bool) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if early, ok := conn.(*earlyConn); ok {
		early.unsent.Store(reused)
	}
}

// Write implements io.Writer.
func (c *earlyConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if n > 0 {
		c.unsent.Store(false)
	}
	ended := errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
	if ended && !c.unsent.Load() {
		return len(p), nil
	}
	return n, err
}
