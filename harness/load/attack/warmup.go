package attack

import (
	"context"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
)

// warm sends the warm-up and returns how long it took, and whether the medians
// had settled where it was to last until then.
func (a *Attack) warm(ctx context.Context, engine load.Engine) (took time.Duration, settled bool, err error) {
	begin := time.Now()
	n := uint64(0)
	settled, err = a.warmup.Run(ctx, a.settings.Rate, func(ctx context.Context, window time.Duration) (float64, error) {
		n++
		return a.warmWindow(ctx, engine, window, n)
	})
	return time.Since(begin), settled, err
}

// warmWindow sends one window and returns its median service_ttfb. Its schedule
// is drawn with a seed of its own.
func (a *Attack) warmWindow(ctx context.Context, engine load.Engine, length time.Duration, n uint64) (float64, error) {
	counted := newTally()
	start := time.Now()
	f := a.newFeed(start, length, ^a.settings.Seed-n, counted.add)
	_, err := engine.Stream(ctx, start, a.inFlight(), f)
	return counted.histograms[record.ServiceTTFB].Answered().Statistic("p50") * 1e9, err
}
