package runner

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"switchback/edge/admin"
	"switchback/harness/arm"
	"switchback/harness/experiment"
	"switchback/harness/load"
	"switchback/harness/plan"
	"switchback/harness/probe"
)

// armState is one arm: how it is started, and what runs of it.
type armState struct {
	name     string
	colo     string // of an edge
	launcher arm.Launcher
	others   []*armState   // its edges in further colos
	course   *plan.Rollout // of each of its blocks; nil without a rollout

	insecure bool          // a URL whose certificate may be any
	told     bool          // that another process serves it
	killed   bool          // it ignored the signal to stop, at least once
	instance *arm.Instance // nil when stopped
	changed  *content      // of a command's files, once a change has written them again
	engine   load.Engine
	admin    *admin.Client // nil without an admin API
	tree     probe.Tree    // PID 0 when nothing was started, or something else serves
	server   probe.Tree    // what serves in its place, outside its tree

	spans *spanSource
}

// startOrigin starts the fake origin.
func (c *cell) startOrigin(ctx context.Context) error {
	o := c.e.Origin
	args := []string{"origin", "--seed", strconv.FormatUint(c.o.Seed, 10), "--errors", o.Errors.String(),
		"--concurrency", strconv.Itoa(o.Concurrency)}
	args = append(args, c.o.Tracing.processFlags()...)
	if o.Delay != "" {
		args = append(args, "--delay", o.Delay)
	}
	origin, err := arm.Child{Program: c.o.Program, Args: args, CPUs: c.layout.origin}.Launch(ctx)
	if err != nil {
		return err
	}
	c.onClose(func() { _ = origin.Stop() }) // a child has no teardown
	c.origin, c.upstream = origin, admin.NewClient(origin.Admin, "")
	c.onClose(c.upstream.Close)
	return nil
}

// makeArms publishes the store, where a built-in edge needs one, and makes the
// arms' launchers. Nothing is started yet.
func (c *cell) makeArms(ctx context.Context) error {
	store, secretFile := "", ""
	for _, a := range c.e.Arms {
		if a.Edge != nil && store == "" {
			var err error
			if store, secretFile, err = c.publish(ctx); err != nil {
				return err
			}
		}
		if err := c.addArm(ctx, a, store, secretFile); err != nil {
			return err
		}
	}
	c.onClose(c.stopArms)
	return nil
}

// launcher returns what starts an arm.
func (c *cell) launcher(ctx context.Context, a experiment.Arm, store, secretFile string) (arm.Launcher, error) {
	switch {
	case a.Edge != nil:
		return c.edgeLauncher(a, store, secretFile), nil
	case a.Command != nil:
		return c.commandLauncher(ctx, a)
	}
	return c.urlLauncher(a), nil
}

// launch starts an arm anew.
func (c *cell) launch(ctx context.Context, a *armState) error {
	if c.e.OneProcess() && a.name != c.arms[0].name {
		return nil
	}
	if err := a.stop(); err != nil {
		return err
	}
	i, err := a.launcher.Launch(ctx)
	if err != nil {
		return fmt.Errorf("arm %s: %w", a.name, err)
	}
	a.instance, a.tree = i, probe.Tree{PID: i.PID, Own: i.Own, Cgroup: i.Cgroup}
	if i.Outside != nil {
		c.servedOutside(a, *i.Outside)
	}
	if i.Admin != "" {
		a.admin = admin.NewClient(i.Admin, "")
	}
	if a.engine, err = c.engineFor(a); err != nil {
		return err
	}
	return c.launchOthers(ctx, a)
}

// servedOutside leaves out what can't be read of an arm that another process
// serves, and says so once. That process is no foreign load all the same.
func (c *cell) servedOutside(a *armState, by arm.Outside) {
	a.tree, a.server = probe.Tree{}, probe.Tree{PID: by.PID, Own: true}
	if !a.told {
		a.told = true
		c.note("arm %s: %v", a.name, by)
	}
}

// stop ends what runs of the arm; the error is that of its teardown.
func (a *armState) stop() (err error) {
	if a.engine != nil {
		a.engine.Close()
	}
	if a.admin != nil {
		a.admin.Close()
	}
	if a.instance != nil {
		if err = a.instance.Stop(); err != nil {
			err = fmt.Errorf("arm %s: %w", a.name, err)
		}
		a.killed = a.killed || a.instance.Killed()
	}
	a.engine, a.admin, a.instance, a.tree, a.server, a.spans = nil, nil, nil, probe.Tree{}, probe.Tree{}, &spanSource{}
	a.changed = nil
	return errors.Join(err, a.stopOthers())
}

func (c *cell) stopArms() {
	for _, a := range c.arms {
		if err := a.stop(); err != nil {
			c.note("%v", err)
		}
		if a.killed {
			c.note("arm %s ignored the signal to stop until its grace was over, and was killed", a.name)
		}
	}
}
