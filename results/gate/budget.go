package gate

import (
	"fmt"
	"io"
	"math"

	"switchback/results/metric"
	"switchback/results/stats"
	"switchback/results/units"
)

// Budget asks for the design that makes the most of a given time.
type Budget struct {
	Rules
	Seconds  float64            // for the whole run
	Rate     float64            // requests per second
	Shares   map[string]float64 // share of the requests by group, for gates on groups; "" is 1
	Length   float64            // of a block, where the targets fix it; 0: chosen
	Guard    float64            // seconds
	Startup  float64            // seconds to start and warm all arms once
	Overhead float64            // seconds a block besides guard and length; default BlockOverhead
}

// Choice is a design that fits a budget.
type Choice struct {
	Length      float64 // seconds of the measured part of a block
	Pairs       int
	LaunchEvery int // pairs a launch; 0: once
	Launches    int
	Seconds     float64 // that the run will take
	Visible     []Visible
}

// Visible is the smallest effect that a design calls a regression with 80 %
// power.
type Visible struct {
	Metric, Group, Arm string
	MDE                float64 // relative to the baseline
	Calibrated         bool    // its spread was measured on this kind of machine
}

// guardsABlock is the least length of a block in guards, and startupShare the
// share of a block that start-up may take when every pair has its own launch.
const (
	guardsABlock  = 10
	startupShare  = 0.1
	shortestBlock = 0.05 // seconds
)

// BlockOverhead is the usual time that a block takes besides guard and measured
// part, in seconds: the drain and the wait for idle arms.
const BlockOverhead = 0.1

// ChooseDesign picks block length, launches and pairs for the gates of a file:
// the shortest block that holds the highest gated quantile, a launch for each
// pair unless start-up would take over a tenth of it, and as many pairs as the
// time allows. A budget too small for alpha is a *DesignError that names the
// seconds that would do.
func ChooseDesign(b Budget) (Choice, error) {
	if err := b.Rules.check(); err != nil {
		return Choice{}, err
	}
	b.Rules = b.Rules.withDefaults(Run{}, nil)
	claims := b.claims()
	if len(claims) == 0 {
		return Choice{}, &DesignError{Reason: "a time budget chooses a design for gates, and there are none"}
	}
	if b.Overhead == 0 {
		b.Overhead = BlockOverhead
	}
	length, err := b.length(claims)
	if err != nil {
		return Choice{}, err
	}
	need := UnitsNeeded(len(claims), b.strictest(claims)*firstShare(b.Looks))
	c, ok := b.fit(length, need)
	if !ok {
		enough := int(math.Ceil(float64(need) * b.round(length, 1)))
		return Choice{}, &DesignError{Needed: enough, Reason: fmt.Sprintf(
			"%.3g s are too short for %d gates at alpha %v: %d pairs of blocks of %s take %d s", b.Seconds, len(claims), b.strictest(claims), need, units.Seconds(length), enough)}
	}
	for _, claim := range claims {
		if v, ok := b.visible(claim, c); ok {
			c.Visible = append(c.Visible, v)
		}
	}
	return c, nil
}

// length is that of the shortest block that holds every gated quantile.
func (b Budget) length(claims []claim) (float64, error) {
	length := max(guardsABlock*b.Guard, shortestBlock)
	for _, c := range claims {
		share, ok := b.Shares[c.Group]
		if c.Group == "" {
			share, ok = 1, true
		}
		q := c.metric.Quantile
		switch {
		case q == 0:
			continue
		case q >= 1:
			return 0, &DesignError{Line: c.Line, Reason: fmt.Sprintf("gate on %s: no block holds a maximum; gate a quantile", c.Metric)}
		case !ok || share <= 0:
			return 0, &DesignError{Line: c.Line, Reason: fmt.Sprintf("gate on %s: the number of its requests in a block is not known", name(c.Metric, c.Group))}
		}
		length = max(length, minAbove/((1-q)*b.Rate*share))
	}
	if b.Length > 0 {
		return b.Length, nil
	}
	return math.Ceil(length*1000) / 1000, nil
}

// round is the time of one round of blocks with a launch for every so many.
func (b Budget) round(length float64, every int) float64 {
	blocks := float64(len(b.Arms)) * (b.Guard + length + b.Overhead)
	if every == 0 {
		return blocks
	}
	return blocks + b.Startup/float64(every)
}

// fit chooses launches and pairs: as few pairs a launch as keep start-up to a
// tenth, but no more than leave launches enough for alpha.
func (b Budget) fit(length float64, need int) (Choice, bool) {
	c := Choice{Length: length}
	if b.OneProcess {
		c.Pairs, c.Launches = int((b.Seconds-b.Startup)/b.round(length, 0)), 1
		c.Seconds = b.Startup + float64(c.Pairs)*b.round(length, 0)
		return c, c.Pairs >= need
	}
	blocks := b.round(length, 0)
	for every := max(1, int(math.Ceil(b.Startup/(startupShare*blocks)))); every >= 1; every-- {
		c.LaunchEvery, c.Launches = every, int(b.Seconds/(float64(every)*b.round(length, every)))
		if c.Launches >= need {
			c.Pairs = c.Launches * every
			c.Seconds = float64(c.Pairs) * b.round(length, every)
			return c, true
		}
	}
	return Choice{}, false
}

// visible returns what a claim about a ratio could see.
func (b Budget) visible(c claim, choice Choice) (Visible, bool) {
	if !c.relative() {
		return Visible{}, false
	}
	sigma, calibrated := b.Calibration.sigma(c.Metric, c.Group, choice.Length)
	if !calibrated {
		sigma = usualSpread(c.metric, choice.Length)
	}
	margin := math.Expm1(c.margin(1))
	return Visible{Metric: c.Metric, Group: c.Group, Arm: c.Arm, Calibrated: calibrated,
		MDE: stats.MDE(margin, sigma, choice.Pairs, c.alpha)}, true
}

// usualSpread is the spread of the log ratio of two blocks where there is no
// calibration: that of two identical servers on a noisy machine, measured with
// blocks of 0.2 s, shrinking with the root of the length.
func usualSpread(m metric.Metric, length float64) float64 {
	spread := 0.106
	for _, at := range []struct{ quantile, spread float64 }{{0.9, 0.21}, {0.95, 0.243}, {0.99, 0.44}, {0.999, 0.9}} {
		if m.Quantile >= at.quantile {
			spread = at.spread
		}
	}
	return spread * math.Sqrt(0.2/length)
}

// Print writes the design and what it can see.
func (c Choice) Print(w io.Writer) error {
	launches := fmt.Sprintf("a launch for every %s", units.Count(c.LaunchEvery, "pair"))
	switch c.LaunchEvery {
	case 0:
		launches = "one launch"
	case 1:
		launches = "a launch for each pair"
	}
	_, err := fmt.Fprintf(w, "design: %s of blocks of %s, %s, about %.0f s\n", units.Count(c.Pairs, "pair"), units.Seconds(c.Length), launches, c.Seconds)
	for _, v := range c.Visible {
		if err == nil {
			_, err = fmt.Fprintf(w, "  %s of %s: %s\n", name(v.Metric, v.Group), v.Arm, v.called())
		}
	}
	return err
}
