package report

import (
	"fmt"
	"math"

	"switchback/results/record"
	"switchback/results/stats"
)

// noise says what the generator and the machine did: medians over the blocks
// and the worst block.
func (r Run) noise() (string, bool) {
	if len(r.Blocks) == 0 {
		return "", false
	}
	of := func(read func(record.Generator) float64) (middle, worst float64) {
		var all []float64
		for _, b := range r.Blocks {
			v := read(b.Generator)
			all, worst = append(all, v), max(worst, v)
		}
		return stats.Median(all), worst
	}
	late, worstLate := of(func(g record.Generator) float64 { return g.LatenessP99 })
	hiccup, _ := of(func(g record.Generator) float64 { return g.HiccupP99 })
	_, longest := of(func(g record.Generator) float64 { return g.HiccupMax })
	_, pause := of(func(g record.Generator) float64 { return g.GCPauseMax })
	steal, worstSteal := of(func(g record.Generator) float64 { return g.Steal })
	foreign, worstForeign := of(func(g record.Generator) float64 { return g.Foreign })
	return fmt.Sprintf("lateness p99 %s (worst block %s), hiccups p99 %s (longest %s), longest GC pause %s, steal %s (worst block %s), other processes %s (worst block %s)",
		seconds(late), seconds(worstLate), seconds(hiccup), seconds(longest), seconds(pause),
		number(steal, "ratio"), number(worstSteal, "ratio"), number(foreign, "ratio"), number(worstForeign, "ratio")), true
}

// orderEffect compares the later block of each pair with the earlier, in
// TTFB p50 of the baseline and the first candidate, with the effect of the arms
// taken out. It is a check: the coins make it cancel out.
func (r Run) orderEffect() (string, bool) {
	arms := r.candidates()
	if len(arms) == 0 {
		return "", false
	}
	d, second := r.pairs("ttfb.p50", arms[0])
	if len(d) < 2 {
		return "", false
	}
	effect := stats.Median(d)
	for i := range d {
		d[i] -= effect
		if !second[i] {
			d[i] = -d[i]
		}
	}
	c := changeOf(d, r.Summary.Confidence)
	if unbounded(c) {
		return "", false
	}
	return fmt.Sprintf("the second block of a pair against the first %s (%s)",
		ratio(c.Ratio, false), span(ratio(c.Low, false), ratio(c.High, false))), true
}

// changeOf returns the change that log ratios show, and its interval.
func changeOf(d []float64, confidence float64) record.Change {
	shift := stats.NewShift(d)
	low, high := shift.Interval(confidence)
	return record.Change{Ratio: math.Exp(shift.Estimate()), Low: math.Exp(low), High: math.Exp(high), Pairs: len(d)}
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
			d, second = append(d, math.Log(v/from.value)), append(second, b.Order > from.order)
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
