package runner

import (
	"context"
	"math"
	"time"

	"switchback/edge/admin"
	"switchback/harness/probe"
	"switchback/results/metric"
	"switchback/results/record"
)

// counters are cumulative readings at one instant. What could not be read is
// nil or false: an arm without an admin API, or one that died.
type counters struct {
	cpu    time.Duration
	hasCPU bool
	edge   *admin.Stats
	origin *admin.OriginStats
}

// readTimeout bounds one reading of counters.
const readTimeout = 5 * time.Second

// readAt reads the counters at an instant.
func (b *blockRun) readAt(ctx context.Context, at time.Time) counters {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return b.read(ctx)
	case <-ctx.Done():
		return counters{}
	}
}

// read reads the counters now, the CPU clock first.
func (b *blockRun) read(ctx context.Context) counters {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	var c counters
	if b.arm.tree.Known() {
		cpu, err := b.probe.CPU(b.arm.tree)
		c.cpu, c.hasCPU = cpu, err == nil
	}
	if origin, err := b.upstream.OriginStats(ctx); err == nil {
		c.origin = &origin
	}
	if b.arm.admin != nil {
		if edge, err := b.arm.stats(ctx); err == nil {
			c.edge = &edge
		}
	}
	return c
}

// trees returns the process trees of all arms that were started or are served
// by a process that is known, and the origin's.
func (c *cell) trees() []probe.Tree {
	trees := []probe.Tree{{PID: c.origin.PID, Own: true}}
	for _, a := range c.arms {
		for _, t := range []probe.Tree{a.tree, a.server} {
			if t.Known() {
				trees = append(trees, t)
			}
		}
	}
	return trees
}

// watchMemory samples the arm's memory until the function it returns is called.
func (b *blockRun) watchMemory() (stop func() probe.Memory) {
	if !b.arm.tree.Known() {
		return func() probe.Memory { return probe.Memory{} }
	}
	watch := b.probe.WatchMemory(b.arm.tree, 0)
	return func() probe.Memory {
		m, err := watch.Stop()
		if err != nil {
			b.note("memory: %v", err)
		}
		return m
	}
}

// value adds a metric of the block as a whole.
func (b *blockRun) value(metric string, value float64, n int64) {
	b.block.Metrics = append(b.block.Metrics, record.Value{Metric: metric, Value: value, N: n})
}

// perAnswered adds what each answered request took of a sum; an arm that answers
// none has no such value, rather than a small one.
func (b *blockRun) perAnswered(metric string, sum float64) {
	v := record.Value{Metric: metric, Value: math.Inf(1), N: int64(b.block.Due), Failed: int64(b.block.Due - b.block.Answered)}
	if b.block.Answered > 0 {
		v.Value = sum / float64(b.block.Answered)
	}
	b.block.Metrics = append(b.block.Metrics, v)
}

// share adds a metric that is a part of a whole, unless there was no whole.
func (b *blockRun) share(metric string, part, whole int64) {
	if whole > 0 {
		b.value(metric, float64(part)/float64(whole), whole)
	}
}

// values fills in the block's metrics.
func (b *blockRun) values(before, after counters, held probe.Memory) {
	b.block.Metrics = append(b.result.Values(), b.block.Metrics...)
	if held.Samples > 0 {
		b.value(metric.EdgeMemoryPeak, float64(held.Peak), 1)
		b.value(metric.EdgeMemoryMean, float64(held.Mean), 1)
	}
	if b.arm.tree.Known() && !b.block.Dead {
		if pss, err := b.probe.PSS(b.arm.tree); err == nil {
			b.value(metric.EdgeMemoryPSS, float64(pss), 1)
		}
	}
	if b.arm.instance.Startup > 0 {
		b.value(metric.EdgeStartup, b.arm.instance.Startup.Seconds(), 1)
	}
	b.counted(before, after)
}

// counted adds what counters say of the time between two readings.
func (b *blockRun) counted(before, after counters) {
	n := int64(b.block.Due)
	if before.hasCPU && after.hasCPU && n > 0 {
		b.perAnswered(metric.EdgeCPU, (after.cpu - before.cpu).Seconds())
	}
	if before.origin != nil && after.origin != nil && n > 0 {
		b.value(metric.OriginRequests, 1000*float64(after.origin.Requests-before.origin.Requests)/float64(n), n)
		b.value(metric.OriginBytes, float64(after.origin.Bytes-before.origin.Bytes)/float64(n), n)
	}
	if before.edge != nil && after.edge != nil {
		b.edgeValues(*before.edge, *after.edge)
	}
}
