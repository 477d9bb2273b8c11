package gate

import (
	"fmt"
	"math"
	"strings"

	"switchback/results/record"
	"switchback/results/stats"
)

// finding is a gate beside what was found for its metric.
type finding struct {
	record.Gate
	key      string // max_regression, …
	info     Metric
	ratio    bool    // bounds and margin are ratios to the baseline
	estimate float64 // in the worse direction; a ratio, a difference or the arm's own value
	pairs    int
	spread   float64 // of the estimate: σ/√n, of logarithms for a ratio
}

func explainGate(s record.Summary, g record.Gate) []string {
	if g.Metric == StallMetric {
		return []string{fmt.Sprintf("its blocks hold more of the slowest requests than the baseline's: p %s, alpha %s", short(g.P), short(g.Alpha))}
	}
	m, ok := find(s, g)
	if !ok {
		return []string{"no value was measured"}
	}
	f, ok := newFinding(s, g, m)
	if !ok {
		return []string{"no pair has values of both arms"}
	}
	return f.lines()
}

func newFinding(s record.Summary, g record.Gate, m record.Metric) (finding, bool) {
	f := finding{Gate: g, pairs: s.Pairs}
	f.info, _ = MetricInfo(g.Metric)
	f.key, _, _ = strings.Cut(g.Bound, " ")
	if f.own() {
		f.estimate = m.Arms[g.Arm]
		return f, true
	}
	c, ok := m.Change[g.Arm]
	if !ok {
		return f, false
	}
	f.pairs = c.Pairs
	f.ratio = !c.IsDiff && f.key != "max_increase"
	f.spread = c.MDE / stats.Detectable(1, 1, 1-s.Confidence)
	switch {
	case f.ratio:
		f.estimate = c.Ratio
		f.spread = math.Log1p(c.MDE) / stats.Detectable(1, 1, 1-s.Confidence)
	case !c.IsDiff: // an absolute bound of a metric that is compared by ratio
		f.estimate = (c.Ratio - 1) * m.Arms[s.Baseline]
		f.spread *= m.Arms[s.Baseline]
	case f.info.LowerBetter:
		f.estimate = c.Diff
	default:
		f.estimate = -c.Diff
	}
	return f, true
}

func (f finding) own() bool { return f.key == "max" || f.key == "min" }

func (f finding) lines() []string {
	what := "change"
	if f.own() {
		what = "value"
	} else if !f.info.LowerBetter {
		what = "decrease"
	}
	lines := []string{
		fmt.Sprintf("%s %s; lower bound %s, upper bound %s; margin %s", what, f.show(f.estimate), f.bound(f.Lower), f.bound(f.Upper), f.show(f.limit())),
		fmt.Sprintf("p %s against the margin, alpha %s, %s", short(f.P), short(f.Alpha), count(f.pairs, "pair")),
	}
	if f.own() || f.spread == 0 {
		return lines
	}
	if f.Verdict == record.Inconclusive {
		return append(lines, f.advice())
	}
	return append(lines, fmt.Sprintf("a true %s of %s would have been called with 80 %% power", what, f.show(f.detectable())))
}

// limit is the margin on the scale of the estimate.
func (f finding) limit() float64 {
	if f.ratio {
		return 1 + f.Margin
	}
	return f.Margin
}

func (f finding) detectable() float64 {
	if f.ratio {
		return 1 + stats.MDE(f.Margin, f.spread, 1, f.Alpha)
	}
	return f.Margin + stats.Detectable(f.spread, 1, f.Alpha)
}

// maxAdvice is the largest number of pairs that is worth naming.
const maxAdvice = 100_000

// advice says how many pairs would decide, were the change as found.
func (f finding) advice() string {
	distance := f.estimate - f.limit()
	if f.ratio {
		distance = math.Log(f.estimate / f.limit())
	}
	factor := stats.Detectable(f.spread, 1, f.Alpha) / math.Abs(distance)
	need := math.Ceil(float64(f.pairs) * math.Max(2, factor*factor))
	if !(need <= maxAdvice) {
		return "undecided: the change lies at the margin, where no number of pairs decides; a true effect there is called in a share alpha of runs"
	}
	return fmt.Sprintf("undecided: the margin lies between the bounds; about %s would decide if the change is as found (--pairs %d)", count(int(need), "pair"), int(need))
}

// show writes a value of the estimate's scale.
func (f finding) show(v float64) string {
	if f.ratio {
		return percent(v - 1)
	}
	text := quantity(v, f.info.Unit)
	if !f.own() && v > 0 {
		text = "+" + text
	}
	return text
}

func (f finding) bound(v float64) string {
	switch {
	case v >= Unbounded || v <= -Unbounded || f.ratio && v == 0:
		return "none"
	}
	return f.show(v)
}

func short(v float64) string { return fmt.Sprintf("%.3g", v) }
