package runner

import (
	"context"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
)

// repeated is the traffic of a block over and over: what is sent and not
// recorded. It ends after a stretch of time and can go on with another.
type repeated struct {
	traffic traffic
	period  time.Duration // of an open loop, whose requests are due; 0: a closed one
	given   int

	start    time.Time     // of the stretch
	from, to time.Duration // the stretch, since the first request was due
	service  *record.Histogram
}

var _ load.Feed = (*repeated)(nil)

// newRepeated repeats t every period, or when its last request is past where
// that is later; with 0 in a closed loop.
func newRepeated(t traffic, period time.Duration) *repeated {
	if n := len(t.due); period > 0 && n > 0 {
		period = max(period, t.due[n-1]+1)
	}
	return &repeated{traffic: t, period: period}
}

// send sends the next stretch of the traffic; concurrency is that of a closed loop.
func (r *repeated) send(ctx context.Context, engine load.Engine, concurrency int, length time.Duration) error {
	r.start, r.from, r.to = time.Now(), r.to, r.to+length
	r.service = record.NewHistogram()
	_, err := engine.Stream(ctx, r.start, concurrency, r)
	return err
}

// Next implements load.Feed.
func (r *repeated) Next() (load.Request, bool) {
	due, ok := r.due()
	if !ok {
		return load.Request{}, false
	}
	sample := &record.Sample{}
	load.Begin(sample)
	request := load.Request{Due: due, Target: &r.traffic.targets[r.given%len(r.traffic.targets)], Sample: sample}
	r.given++
	return request, true
}

// due returns when the next request is due, since the start of the stretch;
// false: not within it.
func (r *repeated) due() (time.Duration, bool) {
	n := len(r.traffic.targets)
	switch {
	case n == 0:
		return 0, false
	case r.period == 0:
		return 0, time.Since(r.start) < r.to-r.from
	}
	at := time.Duration(r.given/n)*r.period + r.traffic.due[r.given%n]
	return at - r.from, at < r.to
}

// Ended implements load.Feed.
func (r *repeated) Ended(s *record.Sample) {
	if s.Error == record.OK {
		r.service.Record(s.FirstByte - s.Sent)
	}
}
