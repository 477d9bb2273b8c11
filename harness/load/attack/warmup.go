package attack

import (
	"context"
	"fmt"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
)

// warmup says how long requests are sent before any is counted.
type warmup struct {
	length time.Duration
	auto   bool
}

// An automatic warm-up looks at blocks of warmupBlock and ends after
// maxWarmup whether or not their medians have settled.
const (
	warmupBlock = 250 * time.Millisecond
	maxWarmup   = time.Minute
)

func parseWarmup(text string) (warmup, error) {
	switch text {
	case "":
		return warmup{}, nil
	case "auto":
		return warmup{auto: true}, nil
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < 0 || length > maxDuration {
		return warmup{}, fmt.Errorf("warmup %q: want a duration, or auto", text)
	}
	return warmup{length: length}, nil
}

// warm sends the warm-up and returns how long it took.
func (a *Attack) warm(ctx context.Context, engine load.Engine) (time.Duration, error) {
	if !a.warmup.auto {
		if a.warmup.length == 0 {
			return 0, nil
		}
		_, err := a.warmBlock(ctx, engine, a.warmup.length, 0)
		return a.warmup.length, err
	}
	var medians []float64
	begin := time.Now()
	for n := uint64(0); time.Since(begin) < maxWarmup && !load.Settled(medians); n++ {
		median, err := a.warmBlock(ctx, engine, warmupBlock, n)
		if err != nil {
			return time.Since(begin), err
		}
		medians = append(medians, median)
	}
	return time.Since(begin), nil
}

// warmBlock sends one block and returns its median service_ttfb. Its schedule
// is drawn with seeds of its own.
func (a *Attack) warmBlock(ctx context.Context, engine load.Engine, length time.Duration, n uint64) (float64, error) {
	counted := newTally()
	start := time.Now()
	f := a.newFeed(start, length, ^a.settings.Seed-n, func(s *record.Sample) { counted.add(s) })
	_, err := engine.Stream(ctx, start, a.inFlight(), f)
	return float64(counted.histograms[serviceTTFB].ValueAtQuantile(50)), err
}
