package attack

import (
	"context"
	"io"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"

	"switchback/harness/load"
	"switchback/results/record"
)

// Live says where the live line goes.
type Live struct {
	Writer   io.Writer     // nil: none
	Every    time.Duration // between two lines
	Terminal bool          // lines replace each other
}

// Run makes the load. When ctx ends it, the report holds what was measured
// until then and the error is ctx's.
func (a *Attack) Run(ctx context.Context, live Live) (*Report, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(load.GCPercent))
	engine, err := load.New(a.settings.Engine, a.settings.Options)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	out, err := a.openOut()
	if err != nil {
		return nil, err
	}
	warmed, settled, err := a.warm(ctx, engine)
	if err != nil {
		out.abandon()
		return nil, err
	}
	m := a.measure(ctx, engine, out, live)
	report := a.report(m)
	report.WarmupSeconds = warmed.Seconds()
	if !settled {
		report.Notes = append(report.Notes, load.NotSettled)
	}
	if err := out.finish(m.start, m.elapsed, m.counted, report); err != nil {
		return report, err
	}
	return report, m.err
}

// measured is what became of the load.
type measured struct {
	counted  *tally
	outcomes *outcomes
	counts   load.Counts
	start    time.Time
	planned  time.Duration // until it was stopped, if it was
	elapsed  time.Duration
	cpu      time.Duration
	err      error // that of the context that stopped it
}

// measure sends the load that is counted.
func (a *Attack) measure(ctx context.Context, engine load.Engine, out *out, live Live) measured {
	m := measured{counted: newTally(), outcomes: newOutcomes(a.targets), start: time.Now(), planned: a.settings.Duration}
	out.begin(m.start)
	f := a.newFeed(m.start, a.settings.Duration, a.settings.Seed, func(s *record.Sample, end int64) {
		m.counted.add(s, end)
		m.outcomes.add(s)
		out.add(s)
	})
	stop := live.show(f, a.settings.Duration)
	before := cpuTime()
	m.counts, m.err = engine.Stream(ctx, m.start, a.inFlight(), f)
	m.cpu = cpuTime() - before
	m.elapsed = time.Since(m.start)
	stop()
	if m.err != nil {
		m.planned = min(m.planned, m.elapsed)
	}
	return m
}

// inFlight returns the number of requests in flight of a closed loop, 0 for
// an open one.
func (a *Attack) inFlight() int {
	if !a.law.IsClosed() {
		return 0
	}
	if a.settings.Options.Connections == 0 {
		return load.DefaultConnections
	}
	return a.settings.Options.Connections
}

// cpuTime returns the CPU time that this process has used.
func cpuTime() time.Duration {
	var usage unix.Rusage
	// It fails for a bad address alone.
	_ = unix.Getrusage(unix.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
