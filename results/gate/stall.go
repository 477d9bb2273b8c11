package gate

import (
	"fmt"
	"math"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
	"switchback/results/units"
)

// StallMetric is the name under which the companion test for stalls is judged.
const StallMetric = "stalls"

// Tail counts, for every block, the answered requests slower than the p99.9 of
// those of the run: what block quantiles are blind to when a stall hits few
// blocks.
type Tail struct {
	Threshold float64 // seconds
	Over      map[TailKey]int
}

// TailKey names a block.
type TailKey struct {
	Cell string
	Pair int
	Arm  string
}

// A stalled block has at least leastStalled requests over the threshold and
// six standard deviations more than its part of them. Below judgedStalls of
// them nothing is judged; the companion test has a quarter of a gate's alpha,
// so that it takes little from the gates that were asked for.
const (
	leastStalled = 3
	judgedStalls = 5
	stallShare   = 0.25
)

// stallTest is the companion test of one arm: do its blocks hold more of the
// slowest requests than the baseline's?
type stallTest struct {
	arm        string
	excess     int
	hypothesis stats.Hypothesis
}

// stallTest prepares the test of one arm, unless too few blocks stalled.
func (j *judge) stallTest(arm string, part float64) (stallTest, bool) {
	if j.run.Tail == nil || len(j.stalled()) < judgedStalls {
		return stallTest{}, false
	}
	t := stallTest{arm: arm}
	var excess, units []int
	for i, pair := range j.table.pairs {
		if j.beside[arm].pairs[i] || !wholePair(pair, []string{j.rules.Baseline, arm}) {
			continue
		}
		e := j.over(pair[arm]) - j.over(pair[j.rules.Baseline])
		excess, units = append(excess, e), append(units, j.unitOf(i, pair[arm].Launch, j.rules.OneProcess))
		t.excess += e
	}
	excess, units = sumByUnit(excess, units)
	t.hypothesis = stats.Hypothesis{Scores: stats.CountScores(excess, units), Alpha: j.rules.Alpha * j.share * part * stallShare}
	return t, true
}

func sumByUnit(values, units []int) (sums, order []int) {
	place := map[int]int{}
	for i, v := range values {
		at, ok := place[units[i]]
		if !ok {
			at = len(order)
			place[units[i]] = at
			order, sums = append(order, units[i]), append(sums, 0)
		}
		sums[at] += v
	}
	return sums, order
}

func (j *judge) over(c *cell) int { return j.run.Tail.Over[TailKey{c.Cell, c.Pair, c.Arm}] }

// decideStall returns a gate when the arm stalls more than the baseline; else
// an event tells of it.
func (j *judge) decideStall(t stallTest, r stats.Adjusted) []record.Gate {
	found := fmt.Sprintf("%s has %+d of the slowest requests against %s, p %.3g", t.arm, t.excess, j.rules.Baseline, r.Adjusted)
	if r.Adjusted > t.hypothesis.Alpha {
		j.event("stalls: %s: not more than chance", found)
		return nil
	}
	stall := record.Gate{Metric: StallMetric, Arm: t.arm, Bound: "companion test", Alpha: t.hypothesis.Alpha,
		Lower: math.Inf(-1), Upper: math.Inf(1), P: r.Adjusted, Verdict: record.Regression, Reason: found}
	return []record.Gate{j.onNoisyMachine(stall, false)}
}

// stalled returns the blocks that hold far more than their part of the
// slowest requests.
func (j *judge) stalled() []*cell {
	total, blocks := 0, 0
	for _, pair := range j.table.pairs {
		blocks += len(pair)
		for _, c := range pair {
			total += j.over(c)
		}
	}
	mean := float64(total) / float64(max(1, blocks))
	limit := max(leastStalled, mean+6*math.Sqrt(mean))
	var found []*cell
	for _, pair := range j.table.pairs {
		for _, arm := range j.table.arms {
			if c := pair[arm]; c != nil && float64(j.over(c)) >= limit {
				found = append(found, c)
			}
		}
	}
	return found
}

// maxStallEvents bounds the events that a summary lists.
const maxStallEvents = 20

// listStalls adds an event for every stalled block: where, how many requests,
// and what the machine did then.
func (j *judge) listStalls() {
	if j.run.Tail == nil {
		return
	}
	found := j.stalled()
	for i, c := range found {
		if i == maxStallEvents {
			j.events = append(j.events, fmt.Sprintf("stalls: %d more blocks", len(found)-i))
			break
		}
		j.events = append(j.events, fmt.Sprintf("stall: pair %d, block %d (%s): %d requests over %s, slowest %s; %s",
			c.Pair, c.Order, c.Arm, j.over(c), units.Seconds(j.run.Tail.Threshold), j.slowest(c), machine(c.Generator)))
	}
}

func (j *judge) slowest(c *cell) string {
	if v, ok := c.values[series{metric.TTFB + metric.Max, ""}]; ok {
		return units.Seconds(v)
	}
	return "unknown"
}

// machine tells what the machine and the generator did during a block.
func machine(g record.Generator) string {
	parts := []string{"longest hiccup of the generator " + units.Seconds(g.HiccupMax)}
	if g.GCPauses > 0 {
		parts = append(parts, fmt.Sprintf("its garbage collector %s", units.Seconds(g.GCPauseMax)))
	}
	return strings.Join(append(parts, fmt.Sprintf("steal %.1f %%, foreign CPU %.1f %%", 100*g.Steal, 100*g.Foreign)), ", ")
}
