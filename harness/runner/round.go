package runner

import (
	"context"
	"errors"
	"fmt"

	"switchback/harness/blocks"
	"switchback/results/record"
)

// errDied ends the rounds after the block in which an arm died.
var errDied = errors.New("an arm died")

// runRounds runs the planned rounds in order, until an arm dies or the first
// of two looks decides.
func (c *cell) runRounds(ctx context.Context) error {
	for i, round := range c.rounds {
		if err := c.runRound(ctx, round); errors.Is(err, errDied) {
			return err
		} else if err != nil {
			return fmt.Errorf("pair %d: %w", round.Pair, err)
		}
		if decided, err := c.decidedEarly(i + 1); decided || err != nil {
			return err
		}
	}
	return nil
}

// runRound starts the arms where the plan says so and gives each its block.
func (c *cell) runRound(ctx context.Context, round blocks.Round) error {
	t, err := c.draw(round.Pair)
	if err != nil {
		return err
	}
	for _, a := range round.Start {
		if err := c.launch(ctx, c.arms[a]); err != nil {
			return c.stillborn(ctx, round, c.arms[a], err)
		}
	}
	if err := c.greet(ctx, round); err != nil {
		return err
	}
	if err := c.warmUp(ctx, round, t); err != nil {
		return err
	}
	names := make([]string, len(round.Order))
	samples := make([][]record.Sample, len(round.Order))
	for order, a := range round.Order {
		b := blockRun{cell: c, arm: c.turn(a), traffic: t, round: round, order: order}
		names[order] = b.arm.name
		if samples[order], err = b.measure(ctx); err != nil {
			return b.unlessLost(ctx, err)
		}
		b.trace(ctx, samples[order])
		if order == len(round.Order)-1 {
			b.compare(names, samples)
		}
		if err := b.write(samples[order]); err != nil {
			return err
		}
		if b.block.Dead {
			return errDied
		}
	}
	return nil
}

// stillborn records that an arm that ran before could not be started again. At
// the first launch there is nothing to record: the run fails.
func (c *cell) stillborn(ctx context.Context, round blocks.Round, a *armState, err error) error {
	if ctx.Err() != nil || round.Launch == 0 {
		return err
	}
	b := blockRun{cell: c, arm: a, round: round}
	return b.writeLost(err)
}

// unlessLost returns the error of a block, unless the arm has ended: then the
// block records that, and the error is of no more use.
func (b *blockRun) unlessLost(ctx context.Context, err error) error {
	if dead := b.arm.alive(); dead != nil && ctx.Err() == nil {
		return b.writeLost(dead)
	}
	return err
}

// writeLost writes a block that measured nothing, because the arm was lost with
// that error.
func (b *blockRun) writeLost(err error) error {
	b.block, b.result = b.header(), nil
	b.lost(err)
	if err := b.write(nil); err != nil {
		return err
	}
	return errDied
}
