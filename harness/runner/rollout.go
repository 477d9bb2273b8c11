package runner

import (
	"context"
	"fmt"
	"sort"
	"time"

	"switchback/datasets"
	"switchback/edge/admin"
	"switchback/harness/experiment"
	"switchback/harness/plan"
	"switchback/results/record"
)

// courseRun is the course of a rollout under way: a block that is sent stretch
// by stretch. Between two stretches no request is in flight, so that counters
// are exact and a step's flags hold for all of its requests.
type courseRun struct {
	*blockRun
	course  *plan.Course
	samples []record.Sample
	start   time.Time
	shift   time.Duration // by which requests are due later: the pauses so far
	sent    int           // requests
	before  counters      // at the begin of the stretch under way
	fetched fetches
	extra   *plan.Extra // nil while the working set is not known, or without a formula
	totals  courseTotals
}

// sendCourse sends the block's requests along the arm's course. It returns the
// counters at the end of the guard.
func (b *blockRun) sendCourse(ctx context.Context, samples []record.Sample) (counters, error) {
	rollout := b.arm.course.WithHosts(b.namedHosts(), datasets.Suffix)
	c := &courseRun{blockRun: b, course: plan.NewCourse(rollout), samples: samples, start: time.Now().Add(lead),
		fetched: newFetches(b.arm.all())}
	b.block.Start, b.block.Guard = c.start.UTC(), c.at(0).Seconds()
	b.traffic.labels = append([]record.Label(nil), b.traffic.labels...)
	if err := c.send(ctx, 0, b.traffic.guard); err != nil {
		return counters{}, err
	}
	begin := b.read(ctx)
	c.before = begin
	stretches := rollout.Stretches(time.Duration(b.e.Blocks.Length))
	for i, s := range stretches {
		if err := c.stretch(ctx, s, i == len(stretches)-1); err != nil {
			return begin, err
		}
	}
	c.values()
	return begin, nil
}

// stretch runs one stretch: flags and nodes as it wants them, requests, and
// what was measured.
func (c *courseRun) stretch(ctx context.Context, s plan.Stretch, last bool) error {
	if s.Begins {
		if err := c.begin(ctx, s); err != nil {
			return err
		}
	}
	from, to := c.sent, c.until(s.To, last)
	c.label(from, to)
	if late := time.Since(c.start) + lead - c.at(s.From); late > c.shift {
		c.shift = late
	}
	if err := c.send(ctx, from, to); err != nil {
		return err
	}
	ended := time.Now()
	after := c.read(ctx)
	err := c.end(ctx, s, from, to, after, ended, last)
	c.before = after
	return err
}

// at is where an instant of the course is in the block.
func (c *courseRun) at(t time.Duration) time.Duration { return time.Duration(c.e.Blocks.Guard) + t }

// until returns the number of the first request due at or after an instant of
// the course.
func (c *courseRun) until(t time.Duration, last bool) int {
	if last {
		return len(c.traffic.due)
	}
	return sort.Search(len(c.traffic.due), func(i int) bool { return c.traffic.due[i] >= c.at(t) })
}

// send sends a range of the block's requests, shifted by the pauses so far.
func (c *courseRun) send(ctx context.Context, from, to int) error {
	due := make([]time.Duration, to-from)
	for i := range due {
		due[i] = c.traffic.due[from+i] + c.shift
	}
	counts, err := c.arm.engine.Run(ctx, c.start, due, c.traffic.targets[from:to], c.samples[from:to])
	c.sent = to
	c.counts = c.counts.Add(counts)
	return err
}

// label puts requests into the group of the step.
func (c *courseRun) label(from, to int) {
	group := record.Group("step", c.course.Name())
	for i := max(from, c.traffic.guard); i < to; i++ {
		l := &c.traffic.labels[i]
		l.Groups = append(l.Groups[:len(l.Groups):len(l.Groups)], group)
	}
}

// begin puts a step in force and writes that down.
func (c *courseRun) begin(ctx context.Context, s plan.Stretch) error {
	var err error
	changed := c.course.Begin(s)
	step := c.arm.course.Steps[s.Step]
	d := c.decision(record.Begin)
	d.Nodes = step.Nodes
	if changed {
		if s.Step == 1 {
			if c.extra, err = c.formula(); err != nil {
				return err
			}
		}
		if c.extra != nil {
			c.extra.Sets = c.fetched.sets(c.arm.all())
			expected := c.extra.Step(step)
			c.totals.step(c.course.Name()).expected = expected
			d.Expected = &expected
		}
	}
	if d.Flags, err = c.put(ctx, changed, step.Nodes); err != nil {
		return c.unlessDead(err)
	}
	return c.folder.AppendDecision(d)
}

// put sets nodes, and the flags as the course wants them, in every colo. It
// returns the versions in force.
func (c *courseRun) put(ctx context.Context, flags bool, nodes map[string]string) (map[string]int64, error) {
	part := c.course.Part()
	update := admin.FlagsUpdate{Ring: &part}
	if c.e.Rollout.Of != experiment.RolloutOfRing {
		update = admin.FlagsUpdate{Router: &part}
	}
	versions := map[string]int64{}
	for _, one := range c.arm.all() {
		now, err := one.admin.Flags(ctx)
		if err == nil && flags {
			now, err = one.admin.UpdateFlags(ctx, update)
		}
		if err == nil {
			err = setNodes(ctx, one.admin, nodes)
		}
		if err != nil {
			return nil, fmt.Errorf("arm %s, step %s: %w", c.arm.name, c.course.Name(), err)
		}
		versions[one.colo] = now.Version
	}
	return versions, nil
}

// setNodes brings nodes into their states.
func setNodes(ctx context.Context, edge *admin.Client, nodes map[string]string) error {
	for node, state := range nodes {
		up, fault := state != "down", state
		if state == "up" || state == "down" {
			fault = admin.FaultNone
		}
		update := admin.NodeUpdate{Up: &up}
		if state != "down" {
			update.Fault = &fault
		}
		err := edge.UpdateNode(ctx, node, update)
		if err != nil && state == "up" { // nodes that are no listeners have no faults to end
			err = edge.SetNode(ctx, node, true)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unlessDead drops the error of an edge that died: its block says so.
func (c *courseRun) unlessDead(err error) error {
	if c.arm.alive() != nil {
		return nil
	}
	return err
}

// decision is a line of the rollout's log about what is in force now.
func (c *courseRun) decision(action string) record.Decision {
	part := c.course.Part()
	return record.Decision{Cell: c.name, Pair: c.round.Pair, Arm: c.arm.name, Time: time.Now().UTC(),
		At: time.Since(c.start).Seconds(), Action: action, Step: c.course.Name(), Share: part.Share, Colos: part.Colos, Off: part.Off}
}
