package runner

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"switchback/harness/experiment"
	"switchback/results/record"
)

// The kinds of profile of an arm.
const (
	ProfileCPU   = "cpu"
	ProfileHeap  = "heap"
	ProfileMutex = "mutex"
)

// CheckProfile tells what is wrong with a kind of profile, or that no arm of
// the experiment has profiles: built-in edges do, others with a pprof_url.
func CheckProfile(kind string, e *experiment.Experiment) error {
	kinds := []string{ProfileCPU, ProfileHeap, ProfileMutex}
	if !slices.Contains(kinds, kind) {
		return fmt.Errorf("profile %q: expected one of %s", kind, strings.Join(kinds, ", "))
	}
	if !slices.ContainsFunc(e.Arms, func(a experiment.Arm) bool { return a.Edge != nil || a.PprofURL != "" }) {
		return fmt.Errorf("profile %s: no arm has profiles: give those of net/http/pprof their pprof_url", kind)
	}
	return nil
}

// tryProfiles takes a short profile of each arm that says where its own are,
// so that a wrong address is told before anything is measured.
func (c *cell) tryProfiles(ctx context.Context) error {
	if c.o.Profile == "" {
		return nil
	}
	for i, a := range c.arms {
		if c.e.Arms[i].PprofURL == "" {
			continue
		}
		if err := c.profileSource(a).fetch(ctx, c.o.Profile, 1, io.Discard); err != nil {
			return fmt.Errorf("profile of arm %s: %w", a.name, err)
		}
	}
	return nil
}

// profileArms takes a profile of each arm that has some, in blocks of their
// own after the last that counts. One that cannot be had is a note: the
// measurement is complete.
func (c *cell) profileArms(ctx context.Context) error {
	if c.o.Profile == "" {
		return nil
	}
	c.step("taking " + c.o.Profile + " profiles")
	t, err := c.draw(len(c.rounds))
	if err != nil {
		return err
	}
	for i := range c.arms {
		b := blockRun{cell: c, arm: c.turn(i), traffic: t}
		source := c.profileSource(b.arm)
		if source.base == "" {
			continue
		}
		if err := b.profile(ctx, source); ctx.Err() != nil {
			return err
		} else if err != nil {
			c.note("no %s profile of arm %s: %v", c.o.Profile, b.arm.name, err)
		}
	}
	return nil
}

// profile writes the profile of an arm under the traffic of the experiment.
func (b *blockRun) profile(ctx context.Context, source profileSource) error {
	if err := b.arm.alive(); err != nil {
		return err
	}
	if err := b.flip(ctx, b.arm); err != nil {
		return err
	}
	file, err := os.Create(b.profileFile())
	if err != nil {
		return err
	}
	seconds := int(math.Ceil(time.Duration(b.e.Blocks.Length).Seconds()))
	take := func(ctx context.Context) error { return source.fetch(ctx, b.o.Profile, seconds, file) }
	if b.o.Profile == ProfileHeap { // it is looked at after the traffic
		if err = b.sendUncounted(ctx); err == nil {
			err = take(ctx)
		}
	} else {
		err = b.whileSending(ctx, take)
	}
	if err := firstError(err, file.Close()); err != nil {
		return firstError(err, os.Remove(file.Name()))
	}
	return nil
}

// whileSending takes a profile while blocks are sent, one after the other.
func (b *blockRun) whileSending(ctx context.Context, take func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	taken := make(chan error, 1)
	go func() { taken <- take(ctx) }()
	for {
		if err := b.sendUncounted(ctx); err != nil {
			cancel()
			<-taken
			return err
		}
		select {
		case err := <-taken:
			return err
		default:
		}
	}
}

// sendUncounted sends a block as the experiment does, and keeps nothing of it.
func (b *blockRun) sendUncounted(ctx context.Context) (err error) {
	samples := make([]record.Sample, len(b.traffic.due))
	if b.law.IsClosed() {
		_, err = b.arm.engine.Concurrency(ctx, time.Now(), b.e.Load.Concurrency, b.traffic.targets, samples)
		return err
	}
	b.shareOut()
	_, err = b.arm.engine.Run(ctx, time.Now().Add(lead), b.traffic.due, b.traffic.targets, samples)
	return err
}

// profileFile is where the profile of the arm is kept.
func (b *blockRun) profileFile() string {
	name := b.arm.name
	if b.name != "" {
		name = b.name + "," + name
	}
	return filepath.Join(b.dir, "profile-"+name+"."+b.o.Profile+".pprof")
}
