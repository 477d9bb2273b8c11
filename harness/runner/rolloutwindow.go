package runner

import (
	"context"
	"fmt"
	"strings"
	"time"

	"switchback/harness/plan"
	"switchback/results/record"
)

// end measures a stretch, decides where it is a window, and writes that down.
func (c *courseRun) end(ctx context.Context, s plan.Stretch, from, to int, after counters, ended time.Time, last bool) error {
	from = max(from, c.traffic.guard)
	d := c.decision(record.Settled)
	d.Window, d.Requests = (s.To - s.From).Seconds(), to-from
	c.tally(&d, from, to, s.Step > 0)
	if c.before.origin != nil && after.origin != nil {
		n := after.origin.Requests - c.before.origin.Requests
		d.Origin = &n
	}
	c.totals.add(&d, s)
	if s.Window {
		if err := c.judge(ctx, s, &d, c.window(from, to, after), last); err != nil {
			return err
		}
	}
	d.Pause = time.Since(ended).Seconds()
	return c.folder.AppendDecision(d)
}

// judge decides at the end of a window; after a rollback the old version is
// in force when it returns.
func (c *courseRun) judge(ctx context.Context, s plan.Stretch, d *record.Decision, values plan.Values, last bool) error {
	decided := c.course.Judge(s, values, last)
	d.Action = string(decided.Action)
	var reasons []string
	for _, f := range decided.Findings {
		d.Tripwires = append(d.Tripwires, tripwire(f))
		if f.Tripped {
			reasons = append(reasons, fmt.Sprintf("%s is %s (%s)", f.Bound.Metric, f.Text(), f.Bound))
		}
	}
	d.Reason = strings.Join(reasons, "; ")
	if reasons == nil {
		return nil
	}
	c.note("%s in step %s after %.1f s: %s", d.Action, d.Step, d.At, d.Reason)
	if decided.Action != plan.Rollback {
		return nil
	}
	var err error
	if d.Flags, err = c.put(ctx, true, nil); err != nil {
		return c.unlessDead(err)
	}
	return nil
}

func tripwire(f plan.Finding) record.Tripwire {
	t := record.Tripwire{Metric: f.Bound.Metric, Group: f.Bound.Group, Bound: f.Bound.String(), Tripped: f.Tripped}
	if f.Known {
		t.Value = &f.Value
		if f.Bound.Max == nil && f.Bound.Min == nil {
			t.Base = &f.Base
		}
	}
	return t
}

// window returns the metrics of a stretch, as those of a block are made.
func (c *courseRun) window(from, to int, after counters) plan.Values {
	w := blockRun{cell: c.cell, arm: c.arm}
	samples := append([]record.Sample(nil), c.samples[from:to]...)
	for i := range samples {
		samples[i].Target = int32(i)
	}
	labels := c.traffic.labels[from:to]
	w.result = record.Measure(samples, labels, lastInstant(samples))
	w.block.Due, w.block.Metrics = len(samples), w.result.Values()
	w.counted(c.before, after)
	values := make(map[[2]string]float64, len(w.block.Metrics))
	for _, v := range w.block.Metrics {
		values[[2]string{v.Metric, v.Group}] = v.Value
	}
	return func(metric, group string) (float64, bool) {
		v, ok := values[[2]string{metric, group}]
		return v, ok
	}
}
