package runner

import (
	"context"
	"time"

	"switchback/harness/experiment"
)

// Startup prepares the first cell of a run, starts and warms its arms once, one
// after the other, stops them and returns how long that took: what a launch
// costs a design. It leaves what it prepared in the cache and writes no run folder.
func Startup(ctx context.Context, e *experiment.Experiment, o Options) (time.Duration, error) {
	r := newRun(e, o)
	defer r.close()
	if err := r.openCache(ctx); err != nil {
		return 0, err
	}
	if err := r.makeCells(ctx); err != nil {
		return 0, err
	}
	cpus, err := allowedCPUs()
	if err != nil {
		return 0, err
	}
	r.layout = layOut(cpus)
	return r.cells[0].startOnce(ctx)
}

// startOnce starts and warms every arm of the cell and returns how long it took.
func (c *cell) startOnce(ctx context.Context) (time.Duration, error) {
	if err := c.startOrigin(ctx); err != nil {
		return 0, err
	}
	if err := c.makeArms(ctx); err != nil {
		return 0, err
	}
	t, err := c.draw(c.rounds[0].Pair)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	for _, a := range c.arms {
		if err := c.launch(ctx, a); err != nil {
			return 0, err
		}
	}
	err = c.warmUp(ctx, c.rounds[0], t)
	return time.Since(start), err
}
