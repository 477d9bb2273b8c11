package report

import (
	"fmt"
	"math"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/stats"
	"switchback/results/units"
)

// Noise says what the generator and the machine did: medians over the blocks
// and the worst block; "" without blocks.
func (r Run) Noise() string {
	if len(r.Blocks) == 0 {
		return ""
	}
	late, worstLate := r.blocksOf(func(b record.Block) float64 { return b.Generator.LatenessP99 })
	hiccup, _ := r.blocksOf(func(b record.Block) float64 { return b.Generator.HiccupP99 })
	_, longest := r.blocksOf(func(b record.Block) float64 { return b.Generator.HiccupMax })
	_, pause := r.blocksOf(func(b record.Block) float64 { return b.Generator.GCPauseMax })
	cpu, worstCPU := r.blocksOf(generatorCPU)
	steal, worstSteal := r.blocksOf(func(b record.Block) float64 { return b.Generator.Steal })
	foreign, worstForeign := r.blocksOf(func(b record.Block) float64 { return b.Generator.Foreign })
	part := func(middle, worst float64) string {
		return units.Number(middle, "ratio") + " (worst block " + units.Number(worst, "ratio") + ")"
	}
	return fmt.Sprintf("lateness p99 %s (worst block %s), hiccups p99 %s (longest %s), longest GC pause %s, generator without spin %s of a CPU, steal %s, other processes %s",
		units.Seconds(late), units.Seconds(worstLate), units.Seconds(hiccup), units.Seconds(longest), units.Seconds(pause),
		part(cpu, worstCPU), part(steal, worstSteal), part(foreign, worstForeign))
}

// blocksOf returns the median and the largest of a reading of all blocks.
func (r Run) blocksOf(read func(record.Block) float64) (middle, worst float64) {
	all := make([]float64, len(r.Blocks))
	for i, b := range r.Blocks {
		all[i] = read(b)
		worst = max(worst, all[i])
	}
	return stats.Median(all), worst
}

// generatorCPU is the CPU time of the generator without its spinning, as a
// share of the block.
func generatorCPU(b record.Block) float64 {
	elapsed := b.Length + b.Drain
	if elapsed <= 0 {
		return 0
	}
	return max(b.Generator.CPU-b.Generator.Spin, 0) / elapsed
}

// OrderEffect compares the later block of each pair with the earlier, in
// TTFB p50 of the baseline and the first candidate, with the effect of the arms
// taken out. It is a check: the coins make it cancel out.
func (r Run) OrderEffect() string {
	arms := r.Candidates()
	if len(arms) == 0 {
		return ""
	}
	d, second := r.pairs(metric.TTFB+metric.P50, arms[0])
	if len(d) < 2 {
		return ""
	}
	effect := stats.Median(d)
	if c := changeOf(d, r.Summary.Confidence); c.NoAnswer != "" {
		return ""
	}
	for i := range d {
		d[i] -= effect
		if !second[i] {
			d[i] = -d[i]
		}
	}
	c := changeOf(d, r.Summary.Confidence)
	if figures.Unbounded(c) {
		return ""
	}
	return fmt.Sprintf("the second block of a pair against the first %s (%s)",
		units.Ratio(c.Ratio, false), units.Span(units.Ratio(c.Low, false), units.Ratio(c.High, false)))
}

// changeOf returns the change that log ratios show, and its interval.
func changeOf(d []float64, confidence float64) record.Change {
	shift := stats.NewShift(d)
	low, high := shift.Interval(confidence)
	switch estimate := stats.Endless(shift.Estimate()); {
	case math.IsInf(estimate, 1):
		return record.Change{Pairs: len(d), NoAnswer: record.ByArm}
	case math.IsInf(estimate, -1):
		return record.Change{Pairs: len(d), NoAnswer: record.ByBaseline}
	default:
		return record.Change{Ratio: math.Exp(estimate), Low: math.Exp(stats.Endless(low)), High: math.Exp(stats.Endless(high)), Pairs: len(d)}
	}
}

// pairs returns the log ratios of an arm to the baseline, and whether the arm
// came second.
func (r Run) pairs(metric, arm string) (d []float64, second []bool) {
	type half struct {
		value float64
		order int
	}
	type place struct {
		cell string
		pair int
	}
	base := map[place]half{}
	for _, b := range r.Blocks {
		if v, ok := blockValue(b, metric); ok && b.Arm == r.Summary.Baseline {
			base[place{b.Cell, b.Pair}] = half{v, b.Order}
		}
	}
	for _, b := range r.Blocks {
		v, ok := blockValue(b, metric)
		if from, paired := base[place{b.Cell, b.Pair}]; ok && paired && b.Arm == arm {
			d, second = append(d, stats.LogRatio(v, from.value)), append(second, b.Order > from.order)
		}
	}
	return d, second
}

// blockValue returns a metric of all requests of a block, if it is above zero.
func blockValue(b record.Block, metric string) (float64, bool) {
	for _, v := range b.Metrics {
		if v.Metric == metric && v.Group == "" && v.Value > 0 {
			return v.Value, true
		}
	}
	return 0, false
}
