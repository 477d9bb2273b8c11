package runner

import (
	"context"
	"fmt"
	"time"

	"switchback/harness/blocks"
	"switchback/harness/load"
	"switchback/results/record"
)

// warmUp sends the traffic of the round to each arm that was started for it,
// over and over, as blocks.warmup says; one that shares its process with
// another, under its own flags. Nothing of it is recorded but that an arm did
// not settle: a note of its next block.
func (c *cell) warmUp(ctx context.Context, round blocks.Round, t traffic) error {
	w, err := load.ParseWarmup(c.e.Blocks.Warmup)
	if err != nil {
		return fmt.Errorf("blocks.warmup: %w", err)
	}
	if w == (load.Warmup{}) {
		return nil
	}
	for _, i := range round.Start {
		a := c.turn(i)
		c.step("warming up arm " + a.name)
		if err := c.flip(ctx, a); err != nil {
			return err
		}
		unsettled, err := c.warm(ctx, w, a.engine, t)
		if err != nil {
			return fmt.Errorf("arm %s: warming up: %w", a.name, err)
		}
		if unsettled {
			c.unsettled[a.name] = true
		}
	}
	return nil
}

// warm makes one warm-up and tells whether a trend was left.
func (c *cell) warm(ctx context.Context, w load.Warmup, engine load.Engine, t traffic) (unsettled bool, err error) {
	period, rate := time.Duration(c.e.Blocks.Guard+c.e.Blocks.Length), float64(c.e.Load.Rate)
	if c.law.IsClosed() {
		period, rate = 0, 0
	}
	feed, p50 := newRepeated(t, period), record.Statistics()[0]
	settled, err := w.Run(ctx, rate, func(ctx context.Context, window time.Duration) (float64, error) {
		err := feed.send(ctx, engine, c.e.Load.Concurrency, window)
		return p50.Of(feed.service), err
	})
	return !settled, err
}
