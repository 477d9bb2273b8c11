package gate

import (
	"math"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
)

// maxUnits is the largest number of units that the exact tests are given. More
// are averaged in stretches: flipping a stretch as a whole is as fair a coin.
const maxUnits = 256

// unitOf numbers the unit that a pair belongs to: its launch, or with launches
// that are no level the pair itself.
func (j *judge) unitOf(pair, launch int, byPair bool) int {
	number, of := launch, j.table.launches
	if byPair {
		number, of = pair, len(j.table.pairs)
	}
	return number / max(1, (of+maxUnits-1)/maxUnits)
}

// perUnit returns the mean of each unit, and the units' numbers.
func (j *judge) perUnit(d []float64, p paired, byPair bool) ([]float64, []int) {
	units := make([]int, len(d))
	for i := range d {
		units[i] = j.unitOf(p.pair[i], p.launch[i], byPair)
	}
	return stats.GroupMeans(d, units)
}

// change compares an arm with the baseline in one series, two-sided against
// "no change". Its MDE is one-sided, at margin 0 and alpha 1 − confidence. ok
// is false when no pair has both values.
func (j *judge) change(s series, m metric.Metric, arm string) (record.Change, bool) {
	p := j.table.of(s, m.Kind, j.rules.Baseline, arm, j.beside[arm].pairs)
	pairs := len(p.arm)
	if pairs == 0 {
		return record.Change{}, false
	}
	if m.PerLaunch {
		p = p.byLaunch(m)
	}
	d := p.ratios()
	if m.Kind == metric.Diff {
		d = p.differences()
	}
	d, _ = j.perUnit(d, p, j.byPairForIntervals())
	found := stats.NewShift(d)
	low, high := found.Interval(j.rules.Confidence)
	low, high = stats.Endless(low), stats.Endless(high)
	c := record.Change{
		IsDiff: m.Kind == metric.Diff,
		P:      stats.SignedRankTest(d, 0).TwoSided,
		Pairs:  pairs,
	}
	if c.NoAnswer = noAnswer(p, stats.Endless(found.Estimate())); c.NoAnswer != "" {
		c.Low, c.High = math.Inf(-1), math.Inf(1)
		return c, true
	}
	shift := 0.0
	if alpha := 1 - j.rules.Confidence; len(d) >= leastUnits(1, alpha) {
		shift = stats.Endless(stats.Detectable(found.Spread(), len(d), alpha))
	}
	if m.Kind == metric.Diff {
		c.Diff, c.Low, c.High, c.MDE = found.Estimate(), low, high, shift
		return c, true
	}
	c.Ratio, c.Low, c.High = math.Exp(found.Estimate()), math.Exp(low), math.Exp(high)
	c.MDE = math.Expm1(shift)
	return c, true
}

// noAnswer names the side that has no answer: in the middle pair, or in so many
// that the estimate has no bound.
func noAnswer(p paired, estimate float64) string {
	arm, base := math.IsInf(stats.Median(p.arm), 1), math.IsInf(stats.Median(p.base), 1)
	switch {
	case arm && base:
		return record.ByBoth
	case arm || math.IsInf(estimate, 1):
		return record.ByArm
	case base || math.IsInf(estimate, -1):
		return record.ByBaseline
	}
	return ""
}

// byPairForIntervals says whether intervals rest on pairs: always when
// launches are no level, and when there are too few of them for any interval
// at the confidence; the summary then says so.
func (j *judge) byPairForIntervals() bool {
	return j.rules.OneProcess || j.fewLaunches()
}

func (j *judge) fewLaunches() bool {
	return j.table.launches < len(j.table.pairs) && j.table.launches < leastUnits(1, (1-j.rules.Confidence)/2)
}
