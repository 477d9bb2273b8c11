package probe

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"switchback/results/record"
)

// hiccupSleep is the sleep whose overshoot is a hiccup.
const hiccupSleep = time.Millisecond

// hiccups sleeps over and over on a thread of its own: by how much a sleep is
// too long is by how much anything here may be too late.
type hiccups struct {
	nap   func(time.Duration)
	stop  atomic.Bool
	done  sync.WaitGroup
	overs *record.Histogram
}

func (p *Probe) watchHiccups() *hiccups {
	h := &hiccups{nap: p.sys.nap, overs: record.NewHistogram()}
	h.done.Go(h.run)
	return h
}

func (h *hiccups) run() {
	// The thread ends with the goroutine, and its timer slack with it.
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) // without it overshoots are 50 µs longer
	for first := true; first || !h.stop.Load(); first = false {
		before := time.Now()
		h.nap(hiccupSleep)
		h.overs.Record(int64(max(time.Since(before)-hiccupSleep, 0)))
	}
}

// end stops the sleeper, which takes at most one more sleep.
func (h *hiccups) end() *record.Histogram {
	h.stop.Store(true)
	h.done.Wait()
	return h.overs
}
