package gate

import (
	"fmt"
	"math"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
)

// evidence is what a claim is judged on: one value for each unit, in the
// metric's worse direction, and the margin on the same scale.
type evidence struct {
	claim
	alpha   float64   // the claim's, at this look, shared among the families
	values  []float64 // log ratios, differences, or the arm's own values
	units   []int
	margin  float64
	plain   []float64 // differences in the metric's unit, for the floor
	base    float64   // the baseline's median
	spread  float64   // of the values
	pairs   int       // that the values rest on
	fault   string    // why the claim cannot be judged
	refused bool      // for the baseline's failed requests
}

// gather reads the evidence of a claim out of the blocks.
func (j *judge) gather(c claim) evidence {
	if c.own() {
		return j.gatherOwn(c)
	}
	e := evidence{claim: c}
	kind := metric.Diff
	if c.relative() {
		kind = metric.Ratio
	}
	p := j.table.of(series{c.Metric, c.Group}, kind, j.rules.Baseline, c.Arm, j.beside[c.Arm].pairs)
	e.pairs, e.base = len(p.arm), stats.Median(p.base)
	if e.fault = faultOf(len(p.arm), p.missing); e.fault != "" {
		return e
	}
	if e.fault = j.tooManyFailed(c); e.fault != "" {
		e.refused = true
		return e
	}
	if c.metric.PerLaunch {
		p = p.byLaunch(c.metric)
	}
	e.plain, e.units = j.perUnit(worse(c.metric, p.differences()), p, j.rules.OneProcess)
	e.values = e.plain
	if kind == metric.Ratio {
		e.values, _ = j.perUnit(worse(c.metric, p.ratios()), p, j.rules.OneProcess)
	}
	e.margin = c.margin(e.base)
	e.spread = j.spread(e)
	return e
}

// spread is that of the values: as an A/A calibration of the same experiment on
// this kind of machine has measured it, else as these values have it.
func (j *judge) spread(e evidence) float64 {
	c := j.rules.Calibration
	if c != nil && c.Experiment == j.run.Manifest.Experiment && e.relative() && len(e.values) == e.pairs {
		if sigma, ok := c.sigma(e.Metric, e.Group, j.run.Blocks[0].Length); ok {
			return sigma
		}
	}
	return stats.NewShift(e.values).Spread()
}

func (j *judge) gatherOwn(c claim) evidence {
	e := evidence{claim: c, margin: c.amount.Value}
	values, launch := j.table.own(series{c.Metric, c.Group}, c.Arm, j.alone[c.Arm].pairs)
	e.pairs = len(values)
	if len(values) == 0 {
		e.fault = "no block of the arm has a value"
		return e
	}
	e.values = values
	if !j.rules.OneProcess || c.metric.PerLaunch {
		e.values, _ = launchFold(c.metric)(values, launch)
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
func worse(m metric.Metric, d []float64) []float64 {
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

// share says whether the summary has the claim as a share of the baseline: its
// bounds as ratios, its margin as the share.
func (c claim) share() bool { return c.key == "max_regression" || c.key == "min_improvement" }

// shown turns a value of the evidence into that of the summary: a ratio for a
// share of the baseline, else a number in the metric's unit; ±Inf for no answer.
func (e evidence) shown(v float64) float64 {
	v = stats.Endless(v)
	switch {
	case e.relative():
		return math.Exp(v)
	case e.share() && v == 0:
		return 1
	case e.share():
		return 1 + v/e.base
	}
	return v
}

// shownMargin is the margin as the summary has it.
func (e evidence) shownMargin() float64 {
	switch e.key {
	case "max_regression":
		return e.amount.Value
	case "min_improvement":
		return -e.amount.Value
	}
	return e.amount.Value
}

// addPower adds the smallest effect that the claim's values would have called
// a regression with 80 % power, and for an undecided gate the pairs that would
// decide it, were the change as found.
func (e evidence) addPower(g *record.Gate, found float64) {
	sigma, n := e.spread, len(e.values)
	if n < leastUnits(1, e.alpha) || sigma == 0 || math.IsInf(stats.Endless(sigma), 0) {
		return
	}
	effect := e.shown(e.margin + stats.Detectable(sigma, n, e.alpha))
	if g.MDE = effect; e.share() {
		g.MDE = effect - 1
	}
	if g.Verdict == record.Inconclusive {
		units := stats.Needed(found-e.margin, sigma, e.alpha)
		g.PairsNeeded = pairsFor(units, n, e.pairs)
	}
}

// maxPairsNeeded is the largest number of pairs that is worth asking for.
const maxPairsNeeded = 100_000

// pairsFor turns units that would decide into pairs, at least twice those that
// did not; 0 when no sensible number would do.
func pairsFor(units, haveUnits, havePairs int) int {
	if units == 0 {
		return 0
	}
	need := max(2*havePairs, int(math.Ceil(float64(units)*float64(havePairs)/float64(haveUnits))))
	if need > maxPairsNeeded {
		return 0
	}
	return need
}
