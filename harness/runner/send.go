package runner

import (
	"context"
	"slices"
	"time"

	"switchback/harness/schedule"
	"switchback/results/record"
)

// lead is the time between the decision to start a block and its start, in
// which the engine gets ready.
const lead = 2 * time.Millisecond

// sendOpen sends the requests when they are due.
func (b *blockRun) sendOpen(ctx context.Context, samples []record.Sample) (before counters, err error) {
	start, guard := time.Now().Add(lead), time.Duration(b.e.Blocks.Guard)
	b.block.Start, b.block.Guard = start.UTC(), guard.Seconds()
	early := make(chan counters, 1)
	go func() { early <- b.readAt(ctx, start.Add(guard)) }()
	finish := b.startChanges(ctx, start)
	b.counts, err = b.arm.engine.Run(ctx, start, b.traffic.due, b.traffic.targets, samples)
	finish()
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
	feed := newRepeated(b.traffic, 0)
	return feed.send(ctx, b.arm.engine, b.e.Load.Concurrency, time.Duration(b.e.Blocks.Guard))
}

// noteFidelity says so when the schedule of the samples was not kept.
func (b *blockRun) noteFidelity(samples []record.Sample) {
	var due, released []time.Duration
	for _, s := range samples {
		due = append(due, time.Duration(s.Due))
		if s.Released != record.Never {
			released = append(released, time.Duration(s.Released))
		}
	}
	slices.Sort(due)
	slices.Sort(released)
	if note := schedule.Compare(due, released).Note(); note != "" {
		b.note("%s", note)
	}
}
