package origin

import (
	"container/heap"
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

func TestClockWakesInOrderOfDueInstants(t *testing.T) {
	c := &clock{closed: true} // without a timer nothing can be armed
	base := time.Now()
	for _, offset := range []int{5, 1, 9, 3, 7, 2} {
		w := &waiter{due: base.Add(time.Duration(offset)), awake: make(chan struct{})}
		heap.Push(&c.waiting, w)
	}
	for _, now := range []int{0, 1, 4, 9} {
		c.wake(base.Add(time.Duration(now)))
		for _, w := range c.waiting {
			if !w.due.After(base.Add(time.Duration(now))) {
				t.Errorf("at %d a waiter due at %s still waits", now, w.due.Sub(base))
			}
		}
	}
	if len(c.waiting) != 0 {
		t.Errorf("%d waiters left after the last instant", len(c.waiting))
	}
}

func TestClockNeverWakesEarly(t *testing.T) {
	c, err := newClock()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			d := time.Duration(i%7+1) * 300 * time.Microsecond
			start := time.Now()
			if err := c.wait(context.Background(), d); err != nil {
				t.Error(err)
			}
			if waited := time.Since(start); waited < d {
				t.Errorf("waited %s of %s", waited, d)
			}
		})
	}
	group.Wait()
}

func TestClockForgetsWhoLeft(t *testing.T) {
	c, err := newClock()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) != 0 {
		t.Errorf("%d waiters after the only one left", len(c.waiting))
	}
}

func TestClosedClockLetsEverybodyGo(t *testing.T) {
	c, err := newClock()
	if err != nil {
		t.Fatal(err)
	}
	left := make(chan error)
	go func() { left <- c.wait(context.Background(), time.Hour) }()
	for waiting := false; !waiting; {
		c.mu.Lock()
		waiting = len(c.waiting) == 1
		c.mu.Unlock()
	}
	c.close()
	if err := <-left; !errors.Is(err, errClosed) {
		t.Errorf("error %v, want errClosed", err)
	}
	if err := c.wait(context.Background(), time.Hour); !errors.Is(err, errClosed) {
		t.Errorf("after close: %v, want errClosed", err)
	}
}

// BenchmarkWait reports by how much a wait of 1 ms is overshot, beside
// time.Sleep in the same run.
func BenchmarkWait(b *testing.B) {
	c, err := newClock()
	if err != nil {
		b.Fatal(err)
	}
	defer c.close()
	waits := map[string]func(time.Duration){
		"timerfd": func(d time.Duration) { _ = c.wait(context.Background(), d) },
		"sleep":   time.Sleep,
	}
	for name, wait := range waits {
		b.Run(name, func(b *testing.B) {
			var late time.Duration
			for b.Loop() {
				start := time.Now()
				wait(1300 * time.Microsecond)
				late += time.Since(start) - 1300*time.Microsecond
			}
			b.ReportMetric(float64(late.Microseconds())/float64(b.N), "late-µs/op")
		})
	}
}
