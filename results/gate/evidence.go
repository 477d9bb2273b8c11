package gate

import (
	"fmt"
	"math"

	"switchback/results/stats"
)

// evidence is what a claim is judged on: one value for each unit, in the
// metric's worse direction, and the margin on the same scale.
type evidence struct {
	claim
	values []float64 // log ratios, differences, or the arm's own values
	units  []int
	margin float64
	plain  []float64 // differences in the metric's unit, for the floor
	fault  string    // why the claim cannot be judged
}

// gather reads the evidence of a claim out of the blocks.
func (j *judge) gather(c claim) evidence {
	if c.own() {
		return j.gatherOwn(c)
	}
	e := evidence{claim: c}
	kind := Diff
	if c.relative() {
		kind = Ratio
	}
	p := j.table.of(series{c.Metric, c.Group}, kind, j.rules.Baseline, c.Arm)
	if e.fault = faultOf(len(p.arm), p.missing); e.fault != "" {
		return e
	}
	if c.metric.PerLaunch {
		p = p.byLaunch(c.metric)
	}
	e.plain, e.units = perUnit(worse(c.metric, p.differences()), p, j.rules.OneProcess)
	e.values = e.plain
	if kind == Ratio {
		e.values, _ = perUnit(worse(c.metric, p.ratios()), p, j.rules.OneProcess)
	}
	e.margin = c.margin(stats.Median(p.base))
	return e
}

func (j *judge) gatherOwn(c claim) evidence {
	e := evidence{claim: c, margin: c.amount.Value}
	values, launch := j.table.own(series{c.Metric, c.Group}, c.Arm)
	if e.fault = faultOf(len(values), 0); e.fault != "" {
		return e
	}
	fold := stats.GroupMeans
	if c.metric.Name == "edge.memory.peak" {
		fold = groupMaxima
	}
	e.values = values
	if !j.rules.OneProcess || c.metric.PerLaunch {
		e.values, _ = fold(values, launch)
	}
	return e
}

// faultOf says why values cannot be judged: a pair without a value of a gated
// metric is lost, and a tenth of them lost is too much to believe the rest.
func faultOf(have, missing int) string {
	switch {
	case have == 0:
		return "nothing to compare: no pair of blocks has values of both arms"
	case missing*10 > have+missing:
		return fmt.Sprintf("%d of %d pairs have no value", missing, have+missing)
	}
	return ""
}

// worse turns differences so that a rise is a change for the worse.
func worse(m Metric, d []float64) []float64 {
	if m.LowerBetter {
		return d
	}
	turned := make([]float64, len(d))
	for i, v := range d {
		turned[i] = -v
	}
	return turned
}

// margin is the claim's limit on the scale of its values. A relative limit of
// a metric that can be zero is taken of the baseline's median.
func (c claim) margin(baseline float64) float64 {
	limit := c.amount.Value
	if c.key == "min_improvement" {
		limit = -limit
	}
	switch {
	case c.relative() && c.metric.LowerBetter:
		return math.Log1p(limit)
	case c.relative():
		return -math.Log1p(-limit)
	case c.key == "max_increase":
		return limit
	}
	return limit * baseline
}

// shown turns a value of the evidence into that of the summary.
func (e evidence) shown(v float64) float64 {
	if e.relative() {
		v = math.Exp(v)
	}
	return finite(v)
}

// shownMargin is the margin as the summary has it: a share for a ratio, else
// the metric's unit.
func (e evidence) shownMargin() float64 {
	if !e.relative() {
		return e.margin
	}
	if e.key == "min_improvement" {
		return -e.amount.Value
	}
	return e.amount.Value
}
