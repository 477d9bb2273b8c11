package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"switchback/edge/admin"
	"switchback/results/metric"
	"switchback/results/record"
)

// turn returns the arm that a block measures. With isolation: flags that is
// the one process under the arm's name.
func (c *cell) turn(a int) *armState {
	if !c.e.OneProcess() {
		return c.arms[a]
	}
	flipped := *c.arms[0]
	flipped.name = c.arms[a].name
	return &flipped
}

// flip puts the flags of an arm in force, where the arms share a process.
func (c *cell) flip(ctx context.Context, a *armState) error {
	if !c.e.OneProcess() {
		return nil
	}
	for _, one := range a.all() {
		flags, err := one.admin.Flags(ctx)
		if err == nil {
			flags.Router.Share, flags.Ring.Share = c.side(a), c.side(a)
			_, err = one.admin.UpdateFlags(ctx, admin.FlagsUpdate{Router: &flags.Router, Ring: &flags.Ring})
		}
		if err != nil {
			return fmt.Errorf("arm %s: %w", a.name, err)
		}
	}
	return nil
}

// side is the share of an arm: the second one is the new version.
func (c *cell) side(a *armState) float64 {
	if a.name == c.e.Arms[1].Name {
		return 1
	}
	return 0
}

// dropShared removes the metrics that are of the process and not of the arm.
func (b *blockRun) dropShared() {
	if b.e.OneProcess() {
		b.block.Metrics = slices.DeleteFunc(b.block.Metrics, func(v record.Value) bool {
			return strings.HasPrefix(v.Metric, metric.EdgeMemory+".") || v.Metric == metric.EdgeStartup || strings.HasPrefix(v.Metric, "ring.")
		})
	}
}
