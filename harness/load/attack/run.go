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
	counted := newTally()
	start := time.Now()
	out.begin(start)
	f := a.newFeed(start, a.settings.Duration, a.settings.Seed, func(s *record.Sample) {
		counted.add(s)
		out.add(s)
	})
	stop := live.show(f, a.settings.Duration)
	before := cpuTime()
	counts, runErr := engine.Stream(ctx, start, a.inFlight(), f)
	used := cpuTime() - before
	elapsed := time.Since(start)
	stop()

	planned := a.settings.Duration
	if runErr != nil {
		planned = min(planned, elapsed)
	}
	report := a.report(counted, counts, planned, elapsed, used)
	report.WarmupSeconds = warmed.Seconds()
	if !settled {
		report.Notes = append(report.Notes, load.NotSettled)
	}
	if err := out.finish(start, elapsed, counted, report); err != nil {
		return report, err
	}
	return report, runErr
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
