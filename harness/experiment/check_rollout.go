package experiment

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"switchback/edge/rollout"
	"switchback/results/gate"
	"switchback/results/metric"
)

// Bounds of a rollout.
const (
	maxColos = 16
	maxSteps = 100
)

// colos checks the data centres that the arms are in.
func (c *checker) colos() {
	for i, colo := range c.e.Colos {
		path := indexed("colos", i)
		c.name(path, colo)
		if slices.Contains(c.e.Colos[:i], colo) {
			c.fail(path, "a colo named %s stands above", quote(colo))
		}
	}
	if len(c.e.Colos) == 0 {
		return
	}
	if len(c.e.Colos) > maxColos {
		c.fail("colos", "expected at most %d colos, got %d", maxColos, len(c.e.Colos))
	}
	for i, a := range c.e.Arms {
		if a.Edge == nil {
			c.fail("colos", "arm %s has no edge: only built-in edges are in colos", quote(a.Name))
		} else if a.Edge.Colo != "" {
			c.fail(indexed("arms", i)+".edge.colo", "an edge runs in each of colos: leave out its own")
		}
	}
	if c.e.Blocks.Warmup != "" {
		c.fail("blocks.warmup", "it goes to one address, and the arms are in several colos")
	}
	if c.e.Load.closed() {
		c.fail("colos", "a closed loop sends to one address: give load.arrivals: poisson")
	}
}

// rollout checks the section, and what each arm makes of it.
func (c *checker) rollout() {
	r := c.e.Rollout
	if r == nil {
		for i, a := range c.e.Arms {
			if a.Rollout != nil {
				c.fail(indexed("arms", i)+".rollout", "there is no rollout: section whose steps these could be")
			}
		}
		return
	}
	c.word("rollout.of", r.Of, movable())
	c.word("rollout.by", r.By, choices())
	c.word("rollout.on_trip", r.OnTrip, tripRules())
	within(c, "rollout.before", r.Before, Duration(time.Millisecond), maxLength)
	within(c, "rollout.settle", r.Settle, 0, maxLength)
	within(c, "rollout.window", r.Window, 0, maxLength)
	if c.e.Load.closed() {
		c.fail("rollout", "a closed loop has no time in which steps could be held: give load.arrivals: poisson")
	}
	if c.e.Isolation == isolationFlags {
		c.fail("rollout", "isolation: flags flips the same flags at block edges")
	}
	if c.e.Blocks.Warmup != "" {
		c.fail("blocks.warmup", "rollout.before is the warm-up of a rollout, and is measured: what caches hold must be known")
	}
	if len(c.e.Change) > 0 {
		c.fail("change", "a rollout has steps, and no other changes")
	}
	c.sites()
	for i, b := range r.Tripwires {
		c.tripwire(indexed("rollout.tripwires", i), b)
	}
	for i, a := range c.e.Arms {
		c.armRollout(indexed("arms", i), a)
	}
	if length := c.e.rolloutLength(); c.e.Blocks.Length < length {
		c.fail("blocks.length", "the steps of the rollout take %v, got %v: leave it out", length, c.e.Blocks.Length)
	}
}

func (c *checker) sites() {
	r := c.e.Rollout
	for name, side := range r.Sites {
		path := under("rollout.sites", name)
		c.word(path, side, sides())
		if err := site(name); err != nil {
			c.fail(path, "%v", err)
		}
	}
	for i, name := range r.OptOut {
		if err := site(name); err != nil {
			c.fail(indexed("rollout.opt_out", i), "%v", err)
		}
	}
	if n := len(r.Sites) + len(r.OptOut); n > rollout.MaxSites {
		c.fail("rollout.sites", "expected at most %d sites, got %d", rollout.MaxSites, n)
	}
}

// tripwire checks a bound that windows are judged on.
func (c *checker) tripwire(path string, b gate.Bound) {
	m, ok := metric.Lookup(b.Metric)
	if !ok && b.Metric != "" {
		c.fail(path+".metric", "unknown metric %s: %s", quote(b.Metric), suggestMetric(b.Metric))
		return
	}
	if err := b.Validate(); err != nil {
		c.fail(path, "%s", strings.Replace(err.Error(), "gate ", "tripwire ", 1))
		return
	}
	if m.PerLaunch || strings.HasPrefix(b.Metric, "rollout.") || b.Metric == metric.AnswersDiffer {
		c.fail(path+".metric", "%s has no value of a window", b.Metric)
	}
	if b.Alpha != 0 {
		c.fail(path+".alpha", "a tripwire compares plain numbers and has no alpha")
	}
	if b.Arm != "" && !slices.Contains(c.e.armNames(), b.Arm) {
		c.fail(path+".arm", "no arm is named %s: %s", quote(b.Arm), suggest(b.Arm, c.e.armNames()))
	}
	if b.Group != "" {
		c.group(path+".group", b)
	}
}

func (c *checker) armRollout(path string, a Arm) {
	if a.Edge == nil {
		c.fail(path, "a rollout moves built-in edges: expected an edge")
		return
	}
	c.word(path+".rollout.by", a.Rollout.By, choices())
	within(c, path+".rollout.steps", len(a.Rollout.Steps), 1, maxSteps)
	from, to := c.e.Versions(a)
	seen := map[string]bool{beforeStep: true}
	for i, s := range a.Rollout.Steps {
		at := c.stepPath(path, i)
		c.step(at, a, s)
		if seen[s.Name] {
			c.fail(at+".name", "a step named %s stands before: give this one another name", quote(s.Name))
		}
		seen[s.Name] = true
		if s.Share > 0 && from == to {
			c.fail(at+".share", "arm %s holds one %s and can't move: give two, such as %s", quote(a.Name), c.e.Rollout.Of, twoOf(c.e.Rollout.Of))
		}
	}
}

func twoOf(what string) string {
	if what == RolloutOfRouter {
		return "router: legacy+hashed"
	}
	return "ring: v1+v2:16"
}

// stepPath is where the i-th step of an arm stands in the file: with the arm,
// or in the section.
func (c *checker) stepPath(arm string, i int) string {
	own := indexed(arm+".rollout.steps", i)
	if c.e.lines[own] > 0 {
		return own
	}
	return indexed("rollout.steps", i)
}

// stepName is the pattern of names of steps: those that a group can have whole.
var stepName = regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]{0,39}$`)

func (c *checker) step(path string, a Arm, s Step) {
	if !stepName.MatchString(s.Name) {
		c.fail(path+".name", "expected a name of at most 40 letters a-z, digits and .-_+, got %s", quote(s.Name))
	}
	within(c, path+".share", s.Share, 0, 1)
	within(c, path+".hold", s.Hold, Duration(time.Millisecond), maxLength)
	for i, colo := range s.Colos {
		if known := c.e.ColosOf(a); !slices.Contains(known, colo) {
			c.fail(indexed(path+".colos", i), "unknown colo %s: %s", quote(colo), suggest(colo, known))
		}
	}
	for _, node := range slices.Sorted(maps.Keys(s.Nodes)) {
		c.nodeState(under(path+".nodes", node), a.Edge.Nodes, node, s.Nodes[node])
	}
}

func (c *checker) nodeState(path string, nodes Nodes, node, state string) {
	c.word(path, state, nodeStates())
	last := cmp.Or(nodes.Count, maxNodeCount) // a file of servers has their number
	n, _ := strconv.Atoi(strings.TrimPrefix(node, "n"))
	if n < 1 || n > last || node != "n"+strconv.Itoa(n) {
		c.fail(path, "expected a node from n1 to n%d, got %s", last, quote(node))
	}
	if !nodes.Listen && state != "up" && state != "down" {
		c.fail(path, "only a node that is a listener can %s: set nodes.listen: true", state)
	}
}
