package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"switchback/edge/admin"
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

// flip puts the flags of the block's arm in force, where the arms share a
// process.
func (b *blockRun) flip(ctx context.Context) error {
	if !b.e.OneProcess() {
		return nil
	}
	for _, one := range b.arm.all() {
		flags, err := one.admin.Flags(ctx)
		if err == nil {
			flags.Router.Share, flags.Ring.Share = b.side(), b.side()
			_, err = one.admin.UpdateFlags(ctx, admin.FlagsUpdate{Router: &flags.Router, Ring: &flags.Ring})
		}
		if err != nil {
			return fmt.Errorf("arm %s: %w", b.arm.name, err)
		}
	}
	return nil
}

// side is the share of the block's arm: the second one is the new version.
func (b *blockRun) side() float64 {
	if b.arm.name == b.e.Arms[1].Name {
		return 1
	}
	return 0
}

// dropShared removes the metrics that are of the process and not of the arm.
func (b *blockRun) dropShared() {
	if b.e.OneProcess() {
		b.block.Metrics = slices.DeleteFunc(b.block.Metrics, func(v record.Value) bool {
			return strings.HasPrefix(v.Metric, "edge.memory.") || v.Metric == "edge.startup" || strings.HasPrefix(v.Metric, "ring.")
		})
	}
}
