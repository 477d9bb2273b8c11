package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"switchback/edge/admin"
	"switchback/harness/arm"
	"switchback/harness/blocks"
	"switchback/harness/experiment"
	"switchback/harness/schedule"
	"switchback/targets"
)

// cell is one complete experiment of a run: the only one, or a point of a sweep.
type cell struct {
	*run
	undoList
	name string
	e    *experiment.Experiment

	law      schedule.Law
	rounds   []blocks.Round
	dataset  dataset
	stream   targets.Stream
	origin   *arm.Instance
	upstream *admin.Client // of the origin
	spans    spanSource    // the origin
	arms     []*armState

	unsettled map[string]bool // arms whose warm-up ended with a trend left, which no block notes yet
}

// makeCells prepares the datasets, targets and plans of all cells.
func (r *run) makeCells(ctx context.Context) error {
	points, err := r.e.Cells()
	if err != nil {
		return err
	}
	for _, point := range points {
		e := point.Experiment
		c := &cell{run: r, name: point.Name, e: e, unsettled: map[string]bool{},
			rounds: blocks.Plan(r.o.Seed, len(e.Arms), e.Blocks.Pairs, e.Blocks.LaunchEvery)}
		r.onClose(c.close)
		if c.law, err = schedule.Parse(e.Load.Arrivals); err != nil {
			return fmt.Errorf("load.arrivals: %w", err)
		}
		if err := c.prepareDataset(ctx); err != nil {
			return err
		}
		r.cells = append(r.cells, c)
	}
	return nil
}

// order returns the names of the arms of each round in the order of their
// blocks.
func (c *cell) order() [][]string {
	var rounds [][]string
	for _, round := range c.rounds {
		names := make([]string, len(round.Order))
		for i, a := range round.Order {
			names[i] = c.e.Arms[a].Name
		}
		rounds = append(rounds, names)
	}
	return rounds
}

// measure runs the rounds of the cell and stops what it started.
func (c *cell) measure(ctx context.Context) error {
	defer c.close()
	if err := c.startOrigin(ctx); err != nil {
		return err
	}
	if err := c.makeArms(ctx); err != nil {
		return err
	}
	if err := c.runRounds(ctx); err != nil {
		return err
	}
	return c.profileArms(ctx)
}

// digestOf combines a digest of the cells; that of a single cell stays itself.
func digestOf(cells []*cell, of func(*cell) string) string {
	if len(cells) == 1 {
		return of(cells[0])
	}
	h := sha256.New()
	for _, c := range cells {
		fmt.Fprintln(h, of(c))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
