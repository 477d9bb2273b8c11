package runner

import (
	"cmp"
	"context"
	"errors"

	"switchback/edge/admin"
	"switchback/harness/experiment"
)

// addArm adds an arm: one process, or an edge in each colo, of which the arm
// itself is the first.
func (c *cell) addArm(ctx context.Context, a experiment.Arm, store, secretFile string) error {
	var edges []*armState
	for _, colo := range c.e.ColosOf(a) {
		if a.Edge != nil {
			inside := c.e.EdgeOf(a)
			inside.Colo = colo
			a.Edge = &inside
		}
		launcher, err := c.launcher(ctx, a, store, secretFile)
		if err != nil {
			return err
		}
		edges = append(edges, &armState{name: a.Name, colo: colo, launcher: launcher,
			insecure: a.URL != nil && a.URL.Insecure})
	}
	first := edges[0]
	first.others = edges[1:]
	if c.e.Rollout != nil {
		course := c.e.Course(a)
		first.course = &course
	}
	c.arms = append(c.arms, first)
	return nil
}

// all returns the arm's processes, one for each colo.
func (a *armState) all() []*armState { return append([]*armState{a}, a.others...) }

// launchOthers starts the edges in the further colos.
func (c *cell) launchOthers(ctx context.Context, a *armState) error {
	if len(a.others) == 0 {
		return nil
	}
	for _, other := range a.others {
		if err := c.launch(ctx, other); err != nil {
			return err
		}
		a.tree.More = append(a.tree.More, other.tree.PID)
	}
	a.engine = newColoEngine(a.all())
	return nil
}

// stopOthers ends the edges in the further colos.
func (a *armState) stopOthers() (err error) {
	for _, other := range a.others {
		err = errors.Join(err, other.stop())
	}
	return err
}

// alive returns nil while all of the arm's processes run.
func (a *armState) alive() error {
	for _, one := range a.all() {
		if err := one.instance.Alive(); err != nil {
			return err
		}
	}
	return nil
}

// stats returns the sum of the counters of the arm's edges.
func (a *armState) stats(ctx context.Context) (admin.Stats, error) {
	sum, err := a.admin.Stats(ctx)
	for _, other := range a.others {
		if err != nil {
			break
		}
		var s admin.Stats
		s, err = other.admin.Stats(ctx)
		addStats(&sum, s)
	}
	return sum, err
}

// addStats adds the counters and sizes that metrics are made of.
func addStats(sum *admin.Stats, s admin.Stats) {
	sum.Store.Bytes += s.Store.Bytes
	sum.Store.Errors += s.Store.Errors
	sum.Store.FirstError = cmp.Or(sum.Store.FirstError, s.Store.FirstError)
	sum.Cache.Hits += s.Cache.Hits
	sum.Cache.Misses += s.Cache.Misses
	for class, l := range s.LRU {
		all := sum.LRU[class]
		all.Hits, all.Misses, all.Read = all.Hits+l.Hits, all.Misses+l.Misses, all.Read+l.Read
		all.Evictions += l.Evictions
		sum.LRU[class] = all
	}
	for spec, r := range s.Ring {
		all := sum.Ring[spec]
		all.Bytes, all.BuildSeconds = all.Bytes+r.Bytes, all.BuildSeconds+r.BuildSeconds
		sum.Ring[spec] = all
	}
	if sum.Filter != nil && s.Filter != nil {
		sum.Filter.Bytes += s.Filter.Bytes
		sum.Filter.Refused += s.Filter.Refused
		sum.Filter.FalsePositives += s.Filter.FalsePositives
	}
}
