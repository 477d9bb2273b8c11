package runner

import (
	"context"
	"fmt"
	"time"

	"switchback/harness/arm"
	"switchback/harness/blocks"
	"switchback/harness/load"
	"switchback/harness/probe"
	"switchback/results/metric"
	"switchback/results/record"
)

// blockRun is one block under way.
type blockRun struct {
	*cell
	arm     *armState
	traffic traffic
	round   blocks.Round
	order   int

	block       record.Block
	counts      load.Counts
	result      *record.Measurement
	differences []record.Difference
	usage       []record.Usage // of the arm, over the block
}

// header returns the block's place in the plan.
func (b *blockRun) header() record.Block {
	return record.Block{Cell: b.name, Pair: b.round.Pair, Order: b.order, Arm: b.arm.name,
		Launch: b.round.Launch, Start: time.Now().UTC(), Length: time.Duration(b.e.Blocks.Length).Seconds()}
}

func (b *blockRun) note(format string, args ...any) {
	b.block.Notes = append(b.block.Notes, fmt.Sprintf(format, args...))
}

// lost marks the block as one whose arm was lost with that error.
func (b *blockRun) lost(err error) {
	death := arm.DeathOf(err)
	b.block.Dead, b.block.Death = true, &death
}

// measure sends the block's traffic and fills in its line.
func (b *blockRun) measure(ctx context.Context) ([]record.Sample, error) {
	waited, idle, err := b.probe.WaitIdle(ctx, b.trees())
	if err != nil {
		return nil, err
	}
	b.block = b.header()
	b.block.Wait = waited.Seconds()
	if !idle {
		b.note("the arms were not idle before the block, after %v", waited.Round(time.Millisecond))
	}
	if b.unsettled[b.arm.name] {
		b.note(load.NotSettled)
		delete(b.unsettled, b.arm.name)
	}
	if err := b.flip(ctx, b.arm); err != nil {
		return nil, err
	}
	b.shareOut()
	if err := b.sendGuard(ctx); err != nil {
		return nil, err
	}
	machine, err := b.probe.WatchMachine(b.trees())
	if err != nil {
		return nil, err
	}
	memory := b.watchMemory()
	samples, before, after, runErr := b.send(ctx)
	reading, err := machine.Stop()
	held := memory()
	if runErr != nil || err != nil {
		return nil, firstError(runErr, err)
	}
	b.account(samples, reading)
	b.values(before, after, held)
	b.dropShared()
	b.usage = held.Usage
	return samples, nil
}

// send runs the engine and reads the counters at the end of the guard and of
// the drain.
func (b *blockRun) send(ctx context.Context) (samples []record.Sample, before, after counters, err error) {
	samples = make([]record.Sample, len(b.traffic.due))
	b.drawTraces(samples)
	switch {
	case b.arm.course != nil:
		before, err = b.sendCourse(ctx, samples)
	case b.law.IsClosed():
		before, err = b.sendClosed(ctx, samples)
	default:
		before, err = b.sendOpen(ctx, samples)
	}
	if err != nil {
		return nil, before, after, err
	}
	if dead := b.arm.alive(); dead != nil {
		b.lost(dead)
	}
	return samples, before, b.read(ctx), nil
}

// account fills in what the samples of the measured part say.
func (b *blockRun) account(samples []record.Sample, reading probe.Reading) {
	end := lastInstant(samples)
	for i := range samples {
		samples[i].Target = int32(i)
	}
	counted := samples[b.traffic.guard:]
	b.result = record.Measure(counted, b.traffic.labels, end)
	b.block.Due, b.block.Errors = len(counted), b.result.Errors
	b.block.Answered = b.result.Requests - b.result.Failed
	b.block.Codes, b.block.Redirects = record.CodesOf(counted), record.Redirected(counted)
	b.block.Dials, b.block.OutOfRange, b.block.Cut = b.counts.Dials, b.result.OutOfRange, b.result.Cut
	b.block.DialErrors, b.block.Limits = b.counts.DialErrors, b.counts.Limits
	var lastDue int64
	for _, s := range counted {
		if s.Released != record.Never {
			b.block.Released++
		}
		lastDue = max(lastDue, s.Due)
	}
	b.block.Drain = time.Duration(max(0, end-lastDue)).Seconds()
	if b.law.IsClosed() {
		b.block.Length = time.Duration(end).Seconds()
	}
	b.block.Generator = reading.Generator
	b.block.Generator.Spin = b.counts.Spin.Seconds()
	b.block.Generator.LatenessP99 = lateness(b.result)
	if !b.law.IsClosed() {
		b.noteFidelity(counted)
	}
	if b.result.Malformed > 0 {
		b.note("%d Server-Timing headers could not be read", b.result.Malformed)
	}
	if b.result.Crowded > 0 {
		b.note("%d phases and cache states beyond the number kept were left out", b.result.Crowded)
	}
}

// lateness returns the p99 of all requests' lateness, in seconds.
func lateness(m *record.Measurement) float64 {
	for _, s := range m.Series {
		if s.Metric == metric.Lateness && s.Group == "" {
			return s.Statistic("p99")
		}
	}
	return 0
}

// compare counts the requests of the round that its arms answered differently;
// the last block of the round carries the number.
func (b *blockRun) compare(arms []string, samples [][]record.Sample) {
	counted := make([][]record.Sample, len(samples))
	for i, s := range samples {
		counted[i] = s[b.traffic.guard:]
	}
	differ, answered, first := record.Compare(b.round.Pair, arms, counted, b.traffic.labels)
	if answered > 0 {
		b.value(metric.AnswersDiffer, float64(differ), int64(answered))
	}
	for i := range first {
		first[i].Cell = b.block.Cell
	}
	b.differences = append(b.differences, first...)
}

// write puts the block on disk and tells the watcher.
func (b *blockRun) write(samples []record.Sample) error {
	if err := b.folder.AppendBlock(b.block); err != nil {
		return err
	}
	if b.result != nil {
		if err := b.folder.AppendHistograms(b.block, b.result); err != nil {
			return err
		}
		if err := b.folder.AppendSamples(b.block, samples[b.traffic.guard:], b.traffic.labels); err != nil {
			return err
		}
		if err := b.folder.AppendSeries(record.Seconds(b.block, samples, b.usage)); err != nil {
			return err
		}
	}
	if b.o.Watch != nil {
		b.o.Watch.Block(b.block, b.result)
	}
	return b.folder.AppendDifferences(b.differences)
}

// lastInstant returns the latest instant of the samples.
func lastInstant(samples []record.Sample) int64 {
	var end int64
	for _, s := range samples {
		end = max(end, s.Done, s.Due)
	}
	return end
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
