package experiment

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"switchback/edge/ring"
	"switchback/edge/rollout"
	"switchback/harness/blocks"
	"switchback/harness/load"
	"switchback/harness/schedule"
)

// Bounds of what an experiment may ask for.
const (
	maxArms        = 32
	maxPairs       = 100_000
	maxDue         = 10_000_000 // requests of a block
	maxRate        = Rate(1_000_000)
	maxConnections = 60_000 // below the ports of one address
	maxLength      = Duration(time.Hour)
	maxTimeout     = Duration(time.Hour)
	maxMemory      = Bytes(1 << 40)
	maxNodeCount   = ring.MaxServers
	maxNeighbours  = 100_000_000   // values in a store
	maxReads       = Rate(100_000) // of neighbours' values
)

// name is the pattern of the names of experiments, arms, colos and nodes.
var name = regexp.MustCompile(rollout.NamePattern)

// checker collects the faults of an experiment whose values are of the right types.
type checker struct {
	e      *Experiment
	faults []*Error
}

// check finds what an experiment asks for that can't be or can't be decided.
func (e *Experiment) check() []*Error {
	c := &checker{e: e}
	c.name("name", e.Name)
	if strings.ContainsAny(e.About, "\n\t") {
		c.fail("about", "expected one line of text")
	}
	c.dataset()
	c.targets()
	c.origin()
	c.load()
	c.arms()
	c.answers()
	c.changes()
	c.isolation()
	c.colos()
	if len(c.faults) == 0 { // else its steps may not be what they seem
		c.rollout()
	}
	c.blocks()
	c.gate()
	return c.faults
}

// fail notes a fault at the line of path, or of the nearest value around it.
func (c *checker) fail(path, format string, args ...any) {
	msg := path + ": " + fmt.Sprintf(format, args...)
	c.faults = append(c.faults, &Error{File: c.e.Path, Line: c.line(path), Msg: msg})
}

func (c *checker) line(path string) int {
	for path != "" {
		if line := c.e.lines[path]; line > 0 {
			return line
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}

func (c *checker) name(path, value string) {
	if value == "" {
		c.fail(path, "a name is missing")
	} else if !name.MatchString(value) {
		c.fail(path, "expected a name of at most 32 letters a-z, digits, dots, dashes and underscores that starts with a letter or digit, got %s", quote(value))
	}
}

func (c *checker) word(path, value string, words []string) {
	if !slices.Contains(words, value) {
		c.fail(path, "unknown word %s: %s", quote(value), suggest(value, words))
	}
}

// within checks low <= value <= high.
func within[T cmp.Ordered](c *checker, path string, value, low, high T) {
	if !(value >= low && value <= high) {
		c.fail(path, "expected %v to %v, got %v", low, high, value)
	}
}

func (c *checker) dataset() {
	d := c.e.Dataset
	within(c, "dataset.neighbours", d.Neighbours, 0, maxNeighbours)
	if d.File != "" {
		if len(d.Sizes) > 0 || d.Tail != 0 || d.BytesPerDeployment != 0 {
			c.fail("dataset.file", "a file leaves no room for other settings of the dataset")
		}
		return
	}
	for i, n := range d.Sizes {
		if slices.Contains(d.Sizes[:i], n) {
			c.fail(indexed("dataset.sizes", i), "size %d stands twice: groups are named by size", n)
		}
	}
	if c.e.Targets.Hosts == "" {
		c.settings("dataset", d.Settings.Check())
	}
}

// settings notes the fault that another package found, whose message begins
// with the key.
func (c *checker) settings(path string, err error) {
	if err == nil {
		return
	}
	key, msg, ok := strings.Cut(err.Error(), ": ")
	if !ok {
		c.fail(path, "%v", err)
		return
	}
	c.fail(under(path, key), "%s", msg)
}

func (c *checker) origin() {
	o := c.e.Origin
	if _, err := ParseDelay(o.Delay); err != nil {
		c.fail("origin.delay", "%v", err)
	}
	within(c, "origin.errors", o.Errors, 0, 1)
	within(c, "origin.concurrency", o.Concurrency, 0, 1_000_000)
}

func (c *checker) load() {
	l := c.e.Load
	c.word("load.engine", l.Engine, engines())
	if _, err := schedule.Parse(l.Arrivals); err != nil {
		c.fail("load.arrivals", "%s", strings.TrimPrefix(err.Error(), "arrivals "))
	}
	c.word("load.pooling", l.Pooling, poolings())
	within(c, "load.connections", l.Connections, 1, maxConnections)
	within(c, "load.timeout", l.Timeout, Duration(time.Millisecond), maxTimeout)
	if l.closed() {
		within(c, "load.concurrency", l.Concurrency, 1, l.Connections)
		if c.e.Targets.Arrivals() == 0 {
			c.fail("load.arrivals", "a block of a closed loop lasts as long as its requests: give their number in targets.per_block")
		}
		if l.Rate != 0 {
			c.fail("load.rate", "arrivals: concurrency is a closed loop and has no rate")
		}
		return
	}
	if l.Concurrency != 0 {
		c.fail("load.concurrency", "only arrivals: concurrency has a concurrency")
	}
	if l.Rate <= 0 || l.Rate > maxRate {
		c.fail("load.rate", "expected a rate above 0/s and at most %v, got %v", maxRate, l.Rate)
	}
}

func (c *checker) blocks() {
	b := c.e.Blocks
	within(c, "blocks.pairs", b.Pairs, 1, maxPairs)
	within(c, "blocks.launch_every", b.LaunchEvery, 0, maxPairs)
	within(c, "blocks.length", b.Length, Duration(time.Millisecond), maxLength)
	within(c, "blocks.guard", b.Guard, 0, maxLength)
	if _, err := load.ParseWarmup(b.Warmup); err != nil {
		c.fail("blocks.warmup", "expected a duration up to 1h such as 2s, or settled, got %s", quote(b.Warmup))
	}
	if b.MaxBaselineErrors <= 0 || b.MaxBaselineErrors > 1 {
		c.fail("blocks.max_baseline_errors", "expected a share above 0%% and up to 100%%, got %v", b.MaxBaselineErrors)
	}
	if b.Length < blocks.GuardFactor*b.Guard {
		c.fail("blocks.length", "expected at least ten times the guard of %v, got %v", b.Guard, b.Length)
	}
	if !slices.ContainsFunc(c.e.Arms, func(a Arm) bool { return a.Name == b.Baseline }) && len(c.e.Arms) > 0 {
		c.fail("blocks.baseline", "no arm is named %s: %s", quote(b.Baseline), suggest(b.Baseline, c.e.armNames()))
	}
	if due := c.e.due(); due > maxDue {
		c.fail("blocks.length", "%v at %v are %.0f requests a block: expected at most %d", b.Length, c.e.Load.Rate, due, maxDue)
	}
	c.rateFits()
}

// rateFits checks that rate and length agree with the requests of per_block.
func (c *checker) rateFits() {
	n, l, seconds := c.e.Targets.Arrivals(), c.e.Load, time.Duration(c.e.Blocks.Length).Seconds()
	if n == 0 || l.closed() || l.Rate <= 0 || seconds <= 0 {
		return
	}
	if asked := float64(l.Rate) * seconds; math.Abs(asked-float64(n)) > 0.01*float64(n)+0.5 {
		c.fail("load.rate", "targets.per_block holds %d requests, but %v for %v are %.0f: leave out the rate, or make length %v",
			n, l.Rate, c.e.Blocks.Length, asked, rounded(Duration(float64(n)/float64(l.Rate)*1e9)))
	}
}

// rounded drops what is below a millisecond.
func rounded(d Duration) Duration { return Duration(time.Duration(d).Round(time.Millisecond)) }

func indexed(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
