package targets

import (
	"sort"

	"switchback/datasets"
)

// class is a set of projects, drawn by their weights.
type class struct {
	projects   []uint32
	cumulative []uint64
}

func (c *class) add(project uint32, weight uint64) {
	if n := len(c.cumulative); n > 0 {
		weight += c.cumulative[n-1]
	}
	c.projects = append(c.projects, project)
	c.cumulative = append(c.cumulative, weight)
}

// draw returns a project of the class, which is not empty.
func (c *class) draw(draws *datasets.Draws) uint32 {
	x := draws.Below(c.cumulative[len(c.cumulative)-1])
	return c.projects[sort.Search(len(c.cumulative), func(i int) bool { return c.cumulative[i] > x })]
}

// classes returns the projects of the whole dataset as the class "", and of
// each size that the strata name.
func (x *Index) classes(s Settings, strata []stratum) map[string]*class {
	all := map[string]*class{"": {}}
	for _, stratum := range strata {
		all[stratum.size] = &class{}
	}
	law := newZipf(s.exponent())
	for i := range x.projects.length {
		p := x.projects.at(i)
		weight := uint64(p.deployments)
		if s.Model == ModelPages {
			weight = law.weight(uint64(i) + 1)
		}
		all[""].add(i, weight)
		if c := all[p.key()]; c != nil {
			c.add(i, weight)
		}
	}
	return all
}
