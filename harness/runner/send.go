package runner

import (
	"context"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// lead is the time between the decision to start a block and its start, in
// which the engine gets ready.
const lead = 2 * time.Millisecond

// sendOpen sends the requests when they are due.
func (b *blockRun) sendOpen(ctx context.Context, samples []record.Sample) (before counters, err error) {
	start := time.Now().Add(lead)
	b.block.Start = start.UTC()
	early := make(chan counters, 1)
	go func() { early <- b.readAt(ctx, start.Add(time.Duration(b.e.Blocks.Guard))) }()
	b.counts, err = b.arm.engine.Run(ctx, start, b.traffic.due, b.traffic.targets, samples)
	return <-early, err
}

// sendClosed sends the requests as fast as they are answered. The block may be
// shorter than a reading of the counters.
func (b *blockRun) sendClosed(ctx context.Context, samples []record.Sample) (before counters, err error) {
	before = b.read(ctx)
	start := time.Now()
	b.block.Start = start.UTC()
	b.counts, err = b.arm.engine.Concurrency(ctx, start, b.e.Load.Concurrency, b.traffic.targets, samples)
	return before, err
}

// sendGuard sends the guard of a closed loop. That of an open one is part of its
// schedule.
func (b *blockRun) sendGuard(ctx context.Context) error {
	if !b.law.IsClosed() {
		return nil
	}
	start := time.Now()
	feed := &guardFeed{targets: b.traffic.targets, until: start.Add(time.Duration(b.e.Blocks.Guard))}
	_, err := b.arm.engine.Stream(ctx, start, b.e.Load.Concurrency, feed)
	return err
}

// guardFeed is the guard of a closed loop: the targets of the block over and
// over, until its end. Nobody looks at the samples.
type guardFeed struct {
	targets []targets.Target
	until   time.Time
	given   int
}

var _ load.Feed = (*guardFeed)(nil)

// Next implements load.Feed.
func (f *guardFeed) Next() (load.Request, bool) {
	if len(f.targets) == 0 || !time.Now().Before(f.until) {
		return load.Request{}, false
	}
	target := &f.targets[f.given%len(f.targets)]
	f.given++
	sample := &record.Sample{}
	load.Begin(sample)
	return load.Request{Target: target, Sample: sample}, true
}

// Ended implements load.Feed.
func (f *guardFeed) Ended(*record.Sample) {}
