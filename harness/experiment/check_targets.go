package experiment

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func (c *checker) targets() {
	t := c.e.Targets
	c.word("targets.expect", t.Expect, expectations())
	if t.Hosts != "" {
		c.hosts()
		return
	}
	if t.File != "" {
		if t.Model != "" || t.Popularity != 0 || t.PerBlock != nil || t.Unknown != "" || t.Assets != 0 {
			c.fail("targets.file", "a file leaves no room for other settings of the targets")
		}
		return
	}
	if err := t.Settings.Check(); err != nil {
		c.settings("targets", err)
		return
	}
	if c.e.Dataset.File != "" {
		return // its sizes are known when it is read
	}
	for _, key := range slices.Sorted(maps.Keys(t.PerBlock)) {
		size, _, _ := strings.Cut(key, "/")
		if valid := c.e.Dataset.strata(); !slices.Contains(valid, size) {
			c.fail(under("targets.per_block", key), "the dataset has no such projects: expected %s", either(valid))
		}
	}
}

// hosts checks an experiment whose hostnames are the user's own.
func (c *checker) hosts() {
	d, t := c.e.Dataset, c.e.Targets
	if t.File != "" || t.Model != "" || t.Popularity != 0 || t.PerBlock != nil || t.Unknown != "" || t.Assets != 0 {
		c.fail("targets.hosts", "a list of hostnames leaves no room for other settings of the targets than expect")
	}
	if t.Expect != ExpectAny {
		c.fail("targets.expect", "the answers to a list of hostnames are not known: expected any")
	}
	if d.File != "" || d.Sizes != nil || d.Tail != 0 || d.BytesPerDeployment != 0 || d.Neighbours != 0 {
		c.fail("dataset", "a list of hostnames in targets.hosts leaves no room for a dataset")
	}
	if slices.ContainsFunc(c.e.Arms, func(a Arm) bool { return a.Edge != nil }) {
		c.fail("targets.hosts", "a built-in edge knows the hostnames of a dataset alone")
	}
}

// strata are the words that per_block may count requests of.
func (d Dataset) strata() []string {
	var all []string
	for _, n := range d.Sizes {
		all = append(all, strconv.Itoa(n))
	}
	if d.Tail > 0 {
		all = append(all, tail)
	}
	return append(all, unknown)
}
