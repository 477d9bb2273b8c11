package experiment

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"switchback/harness/blocks"
	"switchback/results/gate"
)

func (c *checker) gate() {
	g := c.e.Gate
	if len(g.Bounds) == 0 {
		if g.Alpha != 0 || g.OnInconclusive != "" || g.ReportOnly || c.e.lines["gate"] > 0 {
			c.fail("gate", "no bounds: a gate that compares nothing is no gate")
		}
		return
	}
	c.alpha("gate.alpha", g.Alpha)
	c.word("gate.on_inconclusive", g.OnInconclusive, []string{Warn, Fail})
	for i, b := range g.Bounds {
		c.bound(indexed("gate.bounds", i), b)
	}
	if !g.ReportOnly {
		c.reachable()
	}
}

func (c *checker) alpha(path string, alpha float64) {
	if !(alpha >= 1e-9 && alpha <= 0.5) {
		c.fail(path, "expected a share of false alarms above 0 and up to 0.5, such as 0.05, got %v", alpha)
	}
}

func (c *checker) bound(path string, b gate.Bound) {
	metric, ok := gate.MetricInfo(b.Metric)
	if !ok && b.Metric != "" {
		c.fail(path+".metric", "unknown metric %s: %s", quote(b.Metric), suggestMetric(b.Metric))
		return
	}
	if err := b.Validate(); err != nil {
		c.fail(path, "%v", err)
		return
	}
	c.boundArm(path+".arm", b)
	if b.Group != "" {
		c.group(path+".group", b)
	}
	if !c.e.Gate.ReportOnly {
		c.holds(path, b, metric)
	}
}

func suggestMetric(metric string) string {
	if n := nearest(metric, gate.MetricNames()); n != "" {
		return "did you mean " + n + "?"
	}
	return "metrics are named as ttfb.p50, edge.cpu or origin.requests"
}

// relative tells whether a bound compares an arm with the baseline.
func relative(b gate.Bound) bool {
	return b.MaxRegression != nil || b.MinImprovement != nil || b.MaxIncrease != nil
}

func (c *checker) boundArm(path string, b gate.Bound) {
	if b.Arm != "" && !slices.Contains(c.armNames(), b.Arm) {
		c.fail(path, "no arm is named %s: %s", quote(b.Arm), suggest(b.Arm, c.armNames()))
	}
	if relative(b) && b.Arm == c.e.Blocks.Baseline {
		c.fail(path, "%s is the baseline: it can't be compared with itself", quote(b.Arm))
	}
	if len(c.e.Arms) == 1 && (relative(b) || b.Arm == "") {
		c.fail(path, "one arm alone has no baseline to be compared with: give arm and max or min")
	}
}

// groupKeys are the ways in which requests are grouped.
func groupKeys() []string {
	return []string{"size", "position", "cache", "colo", "step", "sweep"}
}

func positions() []string { return []string{"first", "middle", "last", "unknown", "none"} }

func (c *checker) group(path string, b gate.Bound) {
	key, value, ok := strings.Cut(b.Group, "=")
	if !ok || value == "" || !slices.Contains(groupKeys(), key) {
		c.fail(path, "expected a group such as size=10000: one of %s with =VALUE, got %s", either(groupKeys()), quote(b.Group))
		return
	}
	switch key {
	case "position":
		c.word(path, value, positions())
	case "size":
		if n, err := strconv.Atoi(value); err != nil || n < 1 || strconv.Itoa(n) != value {
			c.fail(path, "expected a number of deployments as in size=10000, got %s", quote(b.Group))
		}
	}
}

// holds checks that a block has enough requests for the bound's quantile.
func (c *checker) holds(path string, b gate.Bound, metric gate.Metric) {
	q := metric.Quantile
	if q == 0 || q == 1 || c.e.Load.Arrivals == Concurrency && c.e.Targets.Arrivals() == 0 {
		return
	}
	n, what := c.e.due(), ""
	if size, ok := strings.CutPrefix(b.Group, "size="); ok {
		fixed, ok := c.e.Targets.PerBlock[size]
		if !ok {
			c.fail(path+".group", "%s has no fixed number of requests in a block: add %s to targets.per_block", b.Group, size)
			return
		}
		n, what = float64(fixed), " of "+b.Group
	}
	if need := blocks.MinTail / (1 - q); n < need-1e-9 {
		c.fail(path+".metric", "%s needs at least %.0f requests%s in a block, this one has %.0f: use a longer block or a lower quantile",
			b.Metric, math.Ceil(need-1e-9), what, n)
	}
}

// judged is the number of gates of the experiment: a bound counts once for
// each arm it is about, and the errors of each arm are gated by default.
func (e *Experiment) judged() int {
	candidates := max(1, len(e.Arms)-1)
	n := candidates
	for _, b := range e.Gate.Bounds {
		if b.Arm != "" {
			n++
		} else {
			n += candidates
		}
	}
	return n
}

// strictest is the smallest alpha of any bound.
func (e *Experiment) strictest() float64 {
	alpha := e.Gate.Alpha
	for _, b := range e.Gate.Bounds {
		if b.Alpha != 0 {
			alpha = min(alpha, b.Alpha)
		}
	}
	return alpha
}

// PairsNeeded is the number of pairs, and of launches, below which the gates
// can't reach their alpha however large the effect: n pairs have 2^n equally
// likely signs, and two more than needed allow for a lost pair and a tie. It is 0 without gates.
func (e *Experiment) PairsNeeded() int {
	if len(e.Gate.Bounds) == 0 {
		return 0
	}
	return int(math.Ceil(math.Log2(float64(e.gates())/e.strictest())-1e-9)) + 2
}

// gates is the number of gates that are judged together with those of the
// experiment, a cell of a sweep with all others.
func (e *Experiment) gates() int {
	if len(e.Sweep) > 0 {
		if cells, err := e.Cells(); err == nil {
			return cells[0].Experiment.family
		}
	}
	return max(e.family, e.judged())
}

// reachable refuses gates that could never be decided.
func (c *checker) reachable() {
	if c.faults != nil {
		return // the numbers may be wrong themselves
	}
	need, b := c.e.PairsNeeded(), c.e.Blocks
	if b.Pairs < need {
		c.fail("blocks.pairs", "%d pairs can't reach alpha %v for %d gates: at least %d are needed", b.Pairs, c.e.strictest(), c.e.gates(), need)
		return
	}
	if launches := c.e.Launches(); launches < need && !c.e.attached() {
		c.fail("blocks.launch_every", "%d launches of each arm can't reach alpha %v for %d gates: at least %d are needed (launch_every: %d, or more pairs)",
			launches, c.e.strictest(), c.e.gates(), need, max(1, b.Pairs/need))
	}
}

// Launches is the number of times that each arm is started.
func (e *Experiment) Launches() int { return blocks.Launches(e.Blocks.Pairs, e.Blocks.LaunchEvery) }

// attached tells whether any arm is a running server that is never started.
func (e *Experiment) attached() bool {
	return slices.ContainsFunc(e.Arms, func(a Arm) bool { return a.URL != "" })
}
