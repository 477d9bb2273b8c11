package load

import (
	"context"
	"time"

	"switchback/results/record"
	"switchback/targets"
)

// Request is one request of a feed. Target must not change while the feed
// runs; Sample belongs to the engine until the request has ended.
type Request struct {
	Due    time.Duration // since the start; a closed loop ignores it
	Target *targets.Target
	Sample *record.Sample
}

// Feed yields requests in ascending order of Due and takes back their samples.
// An engine calls Next from one goroutine at a time and Ended from one at a
// time, but the two may run at once.
type Feed interface {
	// Next returns the next request; false after the last.
	Next() (Request, bool)
	// Ended is called once for each request that Next gave out.
	Ended(*record.Sample)
}

// streamer is what an engine must implement; engine makes the rest of it.
type streamer interface {
	Stream(ctx context.Context, start time.Time, n int, feed Feed) (Counts, error)
	Close()
}

// engine runs blocks held in slices over a streamer.
type engine struct{ streamer }

func (e engine) Run(ctx context.Context, start time.Time, due []time.Duration, list []targets.Target, samples []record.Sample) (Counts, error) {
	return e.Stream(ctx, start, 0, newBlock(due, list, samples))
}

func (e engine) Concurrency(ctx context.Context, start time.Time, n int, list []targets.Target, samples []record.Sample) (Counts, error) {
	return e.Stream(ctx, start, max(n, 1), newBlock(nil, list, samples))
}

// block is the feed of one block. Every sample begins as unanswered, so those
// that a stopped run never reached say so.
type block struct {
	due     []time.Duration
	targets []targets.Target
	samples []record.Sample
	next    int
}

func newBlock(due []time.Duration, list []targets.Target, samples []record.Sample) *block {
	for i := range list {
		Begin(&samples[i])
		samples[i].Target = int32(i)
		if due != nil {
			samples[i].Due = int64(due[i])
		}
	}
	return &block{due: due, targets: list, samples: samples}
}

func (b *block) Next() (Request, bool) {
	i := b.next
	if i == len(b.targets) {
		return Request{}, false
	}
	b.next++
	request := Request{Target: &b.targets[i], Sample: &b.samples[i]}
	if b.due != nil {
		request.Due = b.due[i]
	}
	return request, true
}

func (b *block) Ended(*record.Sample) {}

// Begin makes s the sample of a request of which nothing has happened yet:
// unanswered, every instant record.Never. It keeps the space of ServerTiming.
func Begin(s *record.Sample) {
	*s = record.Sample{
		Due: record.Never, Released: record.Never, Sent: record.Never, FirstByte: record.Never, Done: record.Never,
		Error: record.ErrUnanswered, ServerTiming: s.ServerTiming[:0], TraceID: s.TraceID,
	}
}
