package runner

import (
	"context"

	"switchback/harness/experiment"
	"switchback/targets"
)

// listedTargets reads the list of hostnames that is asked in place of a dataset.
func (c *cell) listedTargets(ctx context.Context) error {
	list, err := targets.ReadHosts(c.e.Targets.Hosts)
	if err != nil {
		return err
	}
	c.dataset.listed, c.dataset.digest, c.dataset.notes = list.Hosts, list.Digest, list.Notes
	return c.openTargets(ctx, func() (targets.Stream, error) { return list.Stream(c.o.Seed), nil })
}

// expected relaxes what a stream expects of answers, as the experiment says.
func (c *cell) expected(open func() (targets.Stream, error)) func() (targets.Stream, error) {
	return func() (targets.Stream, error) {
		s, err := open()
		switch {
		case err != nil:
			return nil, err
		case c.e.Targets.Expect == experiment.ExpectStatus:
			return targets.WithoutBodies(s), nil
		case c.e.Targets.Expect == experiment.ExpectAny:
			return targets.WithAnyStatus(s), nil
		}
		return s, nil
	}
}
