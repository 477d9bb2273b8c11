package experiment

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func (c *checker) targets() {
	t := c.e.Targets
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
