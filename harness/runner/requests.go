package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"switchback/harness/experiment"
	"switchback/targets"
)

// asksRequests tells whether the file of targets holds requests of the user's
// own, not a stream over a dataset.
func (c *cell) asksRequests() (bool, error) {
	if c.e.Targets.File == "" {
		return false, nil
	}
	drawn, err := targets.IsDrawn(c.e.Targets.File)
	return !drawn, err
}

// requestedTargets reads requests of the user's own, which are asked in place of
// a dataset.
func (c *cell) requestedTargets(ctx context.Context) error {
	name := c.e.Targets.File
	file, err := targets.ReadFile(name)
	if err != nil {
		return err
	}
	switch {
	case c.e.Dataset.File != "":
		return fmt.Errorf("%s: requests of your own leave no room for a dataset", name)
	case slices.ContainsFunc(c.e.Arms, func(a experiment.Arm) bool { return a.Edge != nil }):
		return fmt.Errorf("%s: requests of your own: a built-in edge knows the hostnames of a dataset alone", name)
	case file.SecureLine > 0 && slices.ContainsFunc(c.e.Arms, inClearText):
		return fmt.Errorf("%s:%d: an https URL, whose request would go in clear text to an arm: expected http URLs, or arms with https", name, file.SecureLine)
	}
	if c.dataset.digest, err = file.Digest(); err != nil {
		return err
	}
	c.dataset.listed, c.dataset.notes = file.Hosts(), file.Notes
	return c.openTargets(ctx, func() (targets.Stream, error) { return file.Stream(), nil })
}

// inClearText tells whether an arm is asked without TLS.
func inClearText(a experiment.Arm) bool {
	return a.URL == nil || !strings.HasPrefix(a.URL.At, "https://")
}
