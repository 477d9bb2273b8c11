package experiment

import (
	"net/url"
	"slices"
	"strings"

	"switchback/edge/ring"
	"switchback/edge/ring/fleet"
	"switchback/harness/arm"
)

func (e *Experiment) armNames() []string {
	all := make([]string, len(e.Arms))
	for i, a := range e.Arms {
		all[i] = a.Name
	}
	return all
}

func (c *checker) arms() {
	arms := c.e.Arms
	if len(arms) == 0 {
		c.fail("arms", "an experiment needs at least one arm")
	}
	if len(arms) > maxArms {
		c.fail("arms", "expected at most %d arms, got %d", maxArms, len(arms))
	}
	for i, a := range arms {
		path := indexed("arms", i)
		c.name(path+".name", a.Name)
		if slices.Contains(c.e.armNames()[:i], a.Name) {
			c.fail(path+".name", "an arm named %s stands above", quote(a.Name))
		}
		c.arm(path, a)
	}
}

func (c *checker) arm(path string, a Arm) {
	kinds := 0
	if a.Edge != nil {
		kinds++
		c.edge(path+".edge", a.Edge)
	}
	if a.Command != nil {
		kinds++
		c.command(path+".command", a.Command)
	}
	if a.URL != nil {
		kinds++
		c.url(path+".url", a.URL)
	}
	if kinds != 1 {
		c.fail(path, "expected exactly one of edge, command and url, got %d", kinds)
	}
	if a.Edge != nil && a.Setup+a.Teardown+a.Reload+a.Version != "" {
		c.fail(path, "the built-in edge has no commands: setup, teardown, reload and version are those of a command or url")
	}
	c.pprofURL(path+".pprof_url", a)
}

// pprofURL checks where an arm's profiles are. Its ports are not known yet.
func (c *checker) pprofURL(path string, a Arm) {
	if a.PprofURL == "" {
		return
	}
	if a.Edge != nil {
		c.fail(path, "the built-in edge serves profiles on its admin listener: pprof_url is that of a command or url")
		return
	}
	if _, err := arm.ParseProfileURL(strings.NewReplacer("{port}", "1", "{admin_port}", "2").Replace(a.PprofURL), a.host()); err != nil {
		c.fail(path, "%v", err)
	}
}

// host is the host that a URL names; "" for another arm.
func (a Arm) host() string {
	if a.URL == nil {
		return ""
	}
	u, err := url.Parse(a.URL.At)
	if err != nil {
		return "" // a fault of its own
	}
	return u.Hostname()
}

func (c *checker) edge(path string, e *Edge) {
	c.router(path+".router", e.Router)
	if e.holds(legacy) {
		c.word(path+".table_life", e.TableLife, tableLives())
	} else if e.TableLife != "" {
		c.fail(path+".table_life", "only router: legacy has tables")
	}
	c.rings(path+".ring", e.Ring)
	c.word(path+".ties", e.Ties, ties())
	c.word(path+".names", e.Names, names())
	within(c, path+".lru", e.LRU, 0, maxMemory)
	within(c, path+".cache", e.Cache, 0, maxMemory)
	if len(c.e.Colos) == 0 {
		c.name(path+".colo", e.Colo)
	}
	if e.Shadow != "" {
		c.word(path+".shadow", e.Shadow, routers())
	}
	c.nodes(path+".nodes", e.Nodes)
	c.neighbours(path+".neighbours", e.Neighbours)
}

// neighbours checks a rate of reads that the store must have values for.
func (c *checker) neighbours(path string, rate Rate) {
	within(c, path, rate, 0, maxReads)
	if rate > 0 && c.e.Dataset.Neighbours == 0 {
		c.fail(path, "the store has no neighbours to read: set dataset.neighbours")
	}
}

// holds tells whether the edge holds a router.
func (e *Edge) holds(router string) bool {
	return slices.Contains(strings.Split(e.Router, "+"), router)
}

// router checks one router, or two different ones: legacy+hashed.
func (c *checker) router(path, value string) {
	first, second, two := strings.Cut(value, "+")
	c.word(path, first, routers())
	if two {
		c.word(path, second, routers())
	}
	if two && first == second {
		c.fail(path, "expected one router or two different ones, got %s", quote(value))
	}
}

// rings checks one or two rings: v1, v2:16, v1+v2:16.
func (c *checker) rings(path, value string) {
	first, second, two := strings.Cut(value, "+")
	one, err := ring.ParseSpec(first)
	other := ring.Spec{}
	if err == nil && two {
		other, err = ring.ParseSpec(second)
	}
	switch {
	case err != nil:
		c.fail(path, "expected a ring such as v1, v2:16, v3:160 or v1+v2:16, got %s: %v", quote(value), err)
	case two && one == other:
		c.fail(path, "expected one ring or two different ones, got %s", quote(value))
	}
}

func (c *checker) nodes(path string, n Nodes) {
	if n.File != "" {
		if n.Count != 0 || n.Weights != "" {
			c.fail(path, "a file of servers has their number and weights")
		}
	} else {
		within(c, path+".count", n.Count, 1, maxNodeCount)
	}
	if _, err := fleet.ParseWeights(n.Weights); n.Weights != "" && err != nil {
		c.fail(path+".weights", "%s", strings.TrimPrefix(err.Error(), "weights "))
	}
	within(c, path+".sets", n.Sets, 0, 1024)
}
