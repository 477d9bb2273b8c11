package origin

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

var errClosed = errors.New("origin is closed")

// clock wakes waiters at their instants. time.Sleep is a millisecond coarse on
// Linux, because the runtime waits in epoll with a time-out in whole
// milliseconds; a timerfd inside that epoll set is exact to the kernel's timer
// and needs no thread for each waiter.
type clock struct {
	mu      sync.Mutex
	waiting waiters
	fd      int
	timer   *os.File
	closed  bool
	ended   chan struct{}
}

type waiter struct {
	due   time.Time
	awake chan struct{}
	place int // in the heap, -1 outside
}

func newClock() (*clock, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("creating the origin's timer: %w", err)
	}
	c := &clock{fd: fd, timer: os.NewFile(uintptr(fd), "timerfd"), ended: make(chan struct{})}
	go c.run()
	return c, nil
}

// wait returns after d, or earlier with the context's error or errClosed.
func (c *clock) wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	w := &waiter{due: time.Now().Add(d), awake: make(chan struct{})}
	if !c.add(w) {
		return errClosed
	}
	select {
	case <-w.awake:
		return nil
	case <-c.ended:
		return errClosed
	case <-ctx.Done():
		c.remove(w)
		return ctx.Err()
	}
}

func (c *clock) add(w *waiter) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	heap.Push(&c.waiting, w)
	if w.place == 0 {
		c.arm()
	}
	return true
}

func (c *clock) remove(w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.place >= 0 {
		heap.Remove(&c.waiting, w.place)
	}
}

// run wakes what is due each time the timer fires, until it is closed.
func (c *clock) run() {
	defer close(c.ended)
	var expirations [8]byte
	for {
		if _, err := c.timer.Read(expirations[:]); err != nil {
			return
		}
		c.wake(time.Now())
	}
}

func (c *clock) wake(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.waiting) > 0 && !c.waiting[0].due.After(now) {
		close(heap.Pop(&c.waiting).(*waiter).awake)
	}
	if len(c.waiting) > 0 && !c.closed {
		c.arm()
	}
}

// arm sets the timer to the earliest waiter; the lock is held. A time of zero
// would disarm it, so an instant already past becomes one nanosecond.
func (c *clock) arm() {
	left := max(time.Until(c.waiting[0].due), 1)
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(left))}
	if err := unix.TimerfdSettime(c.fd, 0, &spec, nil); err != nil {
		panic(fmt.Sprintf("setting a timer of %s: %v", left, err)) // only for arguments that are wrong
	}
}

func (c *clock) close() {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		c.timer.Close()
	}
	c.mu.Unlock()
	<-c.ended
}

// waiters is a heap by due instant.
type waiters []*waiter

func (h waiters) Len() int           { return len(h) }
func (h waiters) Less(i, j int) bool { return h[i].due.Before(h[j].due) }
func (h waiters) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push implements heap.Interface.
func (h *waiters) Push(x any) {
	w := x.(*waiter)
	w.place = len(*h)
	*h = append(*h, w)
}

// Pop implements heap.Interface.
func (h *waiters) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	w.place = -1
	return w
}
