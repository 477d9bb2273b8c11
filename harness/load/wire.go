package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// wireEngine is our own HTTP/1.1 sender. One goroutine does everything: it
// waits for due instants and for answers in one epoll call, so no request
// changes hands between a pacer and a worker, and an answer that arrives while
// the next request is awaited is read at once. It costs the system calls (a
// wait, a read and a write a request) and little else.
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
