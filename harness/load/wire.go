package load

import (
	"context"
	"errors"
	"syscall"
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
	options   Options
	addresses *addresses
	sockets   []unix.Sockaddr // of the addresses
	families  []int           // of the addresses
	poll      *poll
	conns     []*conn // by slot
	spare     []*conn // closed, their buffers kept
	idle      []*conn // open and unused; the last was used last
	scratch   []byte  // what a read gets, shared by all connections
	margin    margin
	slab      []byte // space for Server-Timing values
}

const scratchBytes = 64 << 10

func newWire(options Options) (*wireEngine, error) {
	if options.TLS {
		return nil, errors.New("engine wire speaks HTTP/1.1 in clear text only: use vegeta for https")
	}
	addresses, err := resolve(options.Address, options.Timeout)
	if err != nil {
		return nil, err
	}
	e := &wireEngine{options: options, addresses: addresses, scratch: make([]byte, scratchBytes)}
	for _, at := range addresses.list {
		socket, family := socketAddress(at)
		e.sockets, e.families = append(e.sockets, socket), append(e.families, family)
	}
	if e.poll, err = newPoll(); err != nil {
		return nil, err
	}
	return e, nil
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
	l := &loop{wireEngine: e, start: start, feed: feed, closed: n > 0, most: e.options.Connections, armed: unarmed,
		unopened: map[attempts]int{}, limits: map[syscall.Errno]int{}}
	if n > 0 {
		l.most = n
	}
	defer l.watch(ctx)()
	if err := l.run(); err != nil {
		return l.reasons(), err
	}
	return l.reasons(), ctx.Err()
}

// watch ends the loop when ctx does, until the function it returns is called.
func (l *loop) watch(ctx context.Context) (unwatch func()) {
	told := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(told)
		l.stop.Store(true)
		l.poll.interrupt()
	})
	return func() {
		if !stop() {
			<-told // else it could write to a descriptor that Close has closed
		}
	}
}
