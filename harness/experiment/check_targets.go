package experiment

import (
	"maps"
	"slices"
	"strconv"
)

func (c *checker) targets() {
	t := c.e.Targets
	if t.File != "" {
		if t.Model != "" || t.Popularity != 0 || t.PerBlock != nil || t.Unknown != "" || t.Assets != 0 {
			c.fail("targets.file", "a file leaves no room for other settings of the targets")
		}
		return
	}
	c.word("targets.model", t.Model, []string{Pages})
	within(c, "targets.popularity", t.Popularity, 0, 5)
	within(c, "targets.assets", t.Assets, 0, 100)
	if t.Unknown != "" {
		c.unknownShare(t.Unknown)
	}
	for _, key := range slices.Sorted(maps.Keys(t.PerBlock)) {
		path := under("targets.per_block", key)
		within(c, path, t.PerBlock[key], 1, maxPerBlock)
		c.stratum(path, key)
	}
}

func (c *checker) unknownShare(text string) {
	var share Percent
	if err := share.UnmarshalText([]byte(text)); err != nil {
		c.fail("targets.unknown", "%v", err)
		return
	}
	within(c, "targets.unknown", share, 0, 1)
	if len(c.e.Targets.PerBlock) > 0 {
		c.fail("targets.unknown", "per_block gives the number of unknown hostnames: unknown: N there")
	}
}

// stratum checks a key of per_block against the dataset.
func (c *checker) stratum(path, key string) {
	d := c.e.Dataset
	if d.File != "" {
		if n, err := strconv.Atoi(key); key != Tail && key != Unknown && (err != nil || n < 1) {
			c.fail(path, "expected a size, tail or unknown, got %s", quote(key))
		}
		return
	}
	valid := make([]string, 0, len(d.Sizes)+2)
	for _, n := range d.Sizes {
		valid = append(valid, strconv.Itoa(n))
	}
	if d.Tail > 0 {
		valid = append(valid, Tail)
	}
	valid = append(valid, Unknown)
	if !slices.Contains(valid, key) {
		c.fail(path, "the dataset has no such projects: expected %s", either(valid))
	}
}
