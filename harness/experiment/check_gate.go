package experiment

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/targets"
)

func (c *checker) gate() {
	g := c.e.Gate
	if len(g.Bounds) == 0 {
		if g.Alpha != 0 || g.OnInconclusive != "" || g.Looks != 0 || g.ReportOnly || c.e.lines["gate"] > 0 {
			c.fail("gate", "no bounds: a gate that compares nothing is no gate")
		}
		return
	}
	c.alpha("gate.alpha", g.Alpha)
	c.word("gate.on_inconclusive", g.OnInconclusive, inconclusiveRules())
	within(c, "gate.looks", g.Looks, 1, 2)
	for i, b := range g.Bounds {
		c.bound(indexed("gate.bounds", i), b)
	}
	if len(c.faults) == 0 { // else the numbers may be wrong themselves
		c.decidable()
	}
}

func (c *checker) alpha(path string, alpha float64) {
	if !(alpha >= 1e-9 && alpha <= 0.5) {
		c.fail(path, "expected a share of false alarms above 0 and up to 0.5, such as 0.05, got %v", alpha)
	}
}

func (c *checker) bound(path string, b gate.Bound) {
	if _, ok := metric.Lookup(b.Metric); !ok && b.Metric != "" {
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
}

// suggestMetric completes a message about an unknown metric: the one whose name
// or meaning holds the word, else the nearest in spelling.
func suggestMetric(name string) string {
	const all = "`switchback metrics` lists all"
	if n := cmp.Or(metric.Meant(name), nearest(name, metric.Names())); n != "" {
		return "did you mean " + n + "? " + all
	}
	return all
}

// relative tells whether a bound compares an arm with the baseline.
func relative(b gate.Bound) bool {
	return b.MaxRegression != nil || b.MinImprovement != nil || b.MaxIncrease != nil
}

func (c *checker) boundArm(path string, b gate.Bound) {
	if b.Arm != "" && !slices.Contains(c.e.armNames(), b.Arm) {
		c.fail(path, "no arm is named %s: %s", quote(b.Arm), suggest(b.Arm, c.e.armNames()))
	}
	if relative(b) && b.Arm == c.e.Blocks.Baseline {
		c.fail(path, "%s is the baseline: it can't be compared with itself", quote(b.Arm))
	}
	if len(c.e.Arms) == 1 && relative(b) && b.Arm == "" {
		c.fail(path, "one arm alone has no baseline to be compared with: give max or min")
	}
}

// groupKeys are the ways in which requests are grouped.
func groupKeys() []string {
	return []string{"size", "position", "cache", "change", "colo", "step", "sweep"}
}

// cacheFamilies are the metrics that are recorded by cache state.
func cacheFamilies() []string {
	return []string{metric.TTFB, metric.ServiceTTFB, metric.Latency, "errors"}
}

func (c *checker) group(path string, b gate.Bound) {
	key, value, ok := strings.Cut(b.Group, "=")
	if !ok || value == "" || !slices.Contains(groupKeys(), key) {
		c.fail(path, "expected a group such as size=10000: one of %s with =VALUE, got %s", either(groupKeys()), quote(b.Group))
		return
	}
	switch key {
	case "position":
		if c.word(path, value, targets.Positions()); c.e.Targets.Hosts != "" {
			c.fail(path, "%s: no target has it, since hostnames of a list are no projects", quote(b.Group))
		}
	case "cache":
		if family, _, _ := strings.Cut(b.Metric, "."); !slices.Contains(cacheFamilies(), family) {
			c.fail(path, "%s has no value in %s: cache states have ttfb, service_ttfb, latency and errors.ratio alone", b.Metric, quote(b.Group))
		}
	case "change":
		c.word(path, value, []string{beforeChange, inChange, afterChange})
		if len(c.e.Change) == 0 {
			c.fail(path, "%s: the experiment has no change section", quote(b.Group))
		}
	case "size":
		if n, err := strconv.Atoi(value); err != nil || n < 1 || strconv.Itoa(n) != value {
			c.fail(path, "expected a number of deployments as in size=10000, got %s", quote(b.Group))
		} else if valid, known := c.sizes(); known && !slices.Contains(valid, n) {
			c.fail(path, "%s: no target has it: %s", quote(b.Group), sizesText(valid))
		}
	}
}

// sizes returns the sizes by which requests can be grouped: those of the named
// projects, and the powers of ten below those of the tail. They are not known
// where a file holds them.
func (c *checker) sizes() (valid []int, known bool) {
	switch {
	case c.e.Targets.Hosts != "":
		return nil, true
	case c.e.Targets.File != "" || c.e.Dataset.File != "":
		return nil, false
	}
	valid = slices.Clone(c.e.Dataset.Sizes)
	for n := 1; n <= maxGroupedSize; n *= 10 {
		valid = append(valid, n)
	}
	return valid, true
}

// maxGroupedSize is above the size of any project.
const maxGroupedSize = 1_000_000_000

func sizesText(valid []int) string {
	if len(valid) == 0 {
		return "hostnames of a list are no projects"
	}
	return "expected a size of the dataset, or a power of ten"
}
