package attack

import (
	"sync"
	"sync/atomic"
	"time"

	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
)

// feed plans the requests of one stretch of load and takes back their samples,
// which it uses again: as many exist as were in flight at once.
type feed struct {
	targets []targets.Target
	start   time.Time
	length  time.Duration
	due     schedule.Next                     // nil in a closed loop
	sink    func(s *record.Sample, end int64) // end is the instant on the clock of the samples

	next int // target

	mu   sync.Mutex // guards free
	free []*record.Sample

	given  atomic.Int64 // for the live line, as are the next two
	ended  atomic.Int64
	failed atomic.Int64
}

func (a *Attack) newFeed(start time.Time, length time.Duration, seed uint64, sink func(s *record.Sample, end int64)) *feed {
	f := &feed{targets: a.targets, start: start, length: length, sink: sink}
	if !a.law.IsClosed() {
		f.due = a.law.At(a.settings.Rate, length, seed)
	}
	return f
}

// Next implements load.Feed.
func (f *feed) Next() (load.Request, bool) {
	request, ok := load.Request{}, true
	if f.due != nil {
		request.Due, ok = f.due()
	} else {
		ok = time.Since(f.start) < f.length
	}
	if !ok {
		return load.Request{}, false
	}
	f.given.Add(1)
	request.Sample = f.sample()
	request.Sample.Target = int32(f.next)
	request.Target = &f.targets[f.next]
	if f.next++; f.next == len(f.targets) {
		f.next = 0
	}
	return request, true
}

func (f *feed) sample() *record.Sample {
	f.mu.Lock()
	defer f.mu.Unlock()
	var s *record.Sample
	if n := len(f.free); n > 0 {
		s, f.free = f.free[n-1], f.free[:n-1]
	} else {
		s = &record.Sample{}
	}
	load.Begin(s)
	return s
}

// Ended implements load.Feed. A request that was never let go is not counted:
// the load was stopped before it.
func (f *feed) Ended(s *record.Sample) {
	f.ended.Add(1)
	if s.Released != record.Never {
		if s.Error != record.OK {
			f.failed.Add(1)
		}
		f.sink(s, int64(time.Since(f.start)))
	}
	f.mu.Lock()
	f.free = append(f.free, s)
	f.mu.Unlock()
}
