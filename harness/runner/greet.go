package runner

import (
	"context"
	"fmt"

	"switchback/harness/arm"
	"switchback/harness/blocks"
)

// greet is what happens once all arms of the cell have been started for the
// first time, before anything is measured: their versions are noted and their
// answers checked.
func (c *cell) greet(ctx context.Context, round blocks.Round) error {
	if round.Pair != c.rounds[0].Pair {
		return nil
	}
	if err := c.ownPorts(); err != nil {
		return err
	}
	for i, a := range c.arms {
		if err := c.noteVersion(ctx, a, c.e.Arms[i].Version); err != nil {
			return fmt.Errorf("arm %s: version: %w", a.name, err)
		}
	}
	if err := c.tryProfiles(ctx); err != nil {
		return err
	}
	return c.check(ctx)
}

// noteVersion writes the first line that a version command prints into the
// manifest.
func (c *cell) noteVersion(ctx context.Context, a *armState, command string) error {
	if command == "" {
		return nil
	}
	lines, err := a.instance.Do(ctx, command)
	if err != nil {
		return err
	}
	if len(lines) > 0 {
		c.setVersion(a.name, lines[0])
	}
	return nil
}

func (c *cell) setVersion(arm, version string) {
	if c.manifest.Versions == nil {
		c.manifest.Versions = map[string]string{}
	}
	c.manifest.Versions[arm] = version
}

// ownPorts refuses two started arms that listen on one port together: the
// kernel would share the requests among them.
func (c *cell) ownPorts() error {
	seen := map[string]string{}
	for i, a := range c.arms {
		if c.e.Arms[i].Command == nil {
			continue
		}
		if other, taken := seen[a.instance.Address]; taken {
			return fmt.Errorf("arms %s and %s both listen on %s: %w", other, a.name, a.instance.Address, arm.ErrPortTaken)
		}
		seen[a.instance.Address] = a.name
	}
	return nil
}
