package runner

import (
	"strconv"

	"switchback/harness/experiment"
	"switchback/harness/plan"
	"switchback/results/record"
)

// object is what a cache holds under one key: bodies differ where keys do.
type object struct {
	hash  uint32
	bytes int64
}

// fetches remembers what the caches of each colo have served, so that an
// object that is fetched again is told from one that is fetched first.
type fetches struct {
	seen      []map[object]int64 // by colo: when it was first answered
	perSecond map[int64]int      // of the block → objects fetched again after the rollout began
	timing    []record.Timing
}

func newFetches(edges []*armState) fetches {
	f := fetches{seen: make([]map[object]int64, len(edges)), perSecond: map[int64]int{}}
	for i := range f.seen {
		f.seen[i] = map[object]int64{}
	}
	return f
}

// sets returns the working set of each colo: the objects that it has served.
func (f fetches) sets(edges []*armState) map[string]int {
	sets := map[string]int{}
	for k, one := range edges {
		sets[one.colo] = len(f.seen[k])
	}
	return sets
}

// tally counts what the answers of a stretch say; begun tells that the rollout
// has begun.
func (c *courseRun) tally(d *record.Decision, from, to int, begun bool) {
	newer := c.arm.course.Base.New
	of := "ring"
	if c.e.Rollout.Of != experiment.RolloutOfRing {
		of = "route"
	}
	for i := from; i < to; i++ {
		s := &c.samples[i]
		if s.Error != record.OK {
			d.Errors++
			continue
		}
		var state string
		c.fetched.timing, _ = record.ParseServerTiming(c.fetched.timing[:0], s.ServerTiming) // a malformed one is counted by the block
		for _, t := range c.fetched.timing {
			switch string(t.Name) {
			case "cache":
				state = string(t.Desc)
			case "retries":
				n, _ := strconv.Atoi(string(t.Desc)) // a value that is not a number counts as zero retries
				d.Retries += n
			case of:
				if string(t.Desc) == newer && newer != c.arm.course.Base.Old {
					d.OnNew++
				}
			}
		}
		if c.lookup(d, i, state) && begun {
			c.fetched.perSecond[s.Released/1e9]++
		}
	}
}

// lookup counts the look-up of a request in a content cache, and tells whether
// the origin was asked again for what the colo had.
func (c *courseRun) lookup(d *record.Decision, i int, state string) (again bool) {
	if state == "" || state == "bypass" {
		return false
	}
	d.Lookups++
	if state == "hit" {
		d.Hits++
	}
	s := &c.samples[i]
	seen := c.fetched.seen[coloOf(i, c.traffic.targets[i], len(c.fetched.seen))]
	key := object{s.BodyHash, s.Bytes}
	first, known := seen[key]
	if !known || s.Done < first {
		seen[key] = s.Done
	}
	// Of two requests in flight together either may be the one that fetches.
	if again = known && state == "miss" && s.Released > first; again {
		d.Extra++
	}
	return again
}

// formula returns what the steps are expected to cost, nil where it is not
// known: rings from a file have weights that only the edge knows.
func (c *courseRun) formula() (*plan.Extra, error) {
	nodes := c.firstEdge().Nodes
	return plan.NewExtra(c.arm.course.Base, c.e.Rollout.Of == experiment.RolloutOfRing, nodes.Count, nodes.Weights)
}

// firstEdge returns the settings that the arm's edges share.
func (b *blockRun) firstEdge() experiment.Edge {
	for _, a := range b.e.Arms {
		if a.Name == b.arm.name {
			return *a.Edge
		}
	}
	return experiment.Edge{}
}

// namedHosts returns the hostnames of the named projects that are asked, by the
// word for each: size=1000.
func (b *blockRun) namedHosts() map[string][]string {
	hosts := map[string][]string{}
	for _, t := range b.traffic.targets {
		if t.Size != "" && t.Position != "" {
			word := record.Group("size", t.Size)
			hosts[word] = append(hosts[word], t.Host)
		}
	}
	return hosts
}
