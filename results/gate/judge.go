package gate

import (
	"errors"
	"fmt"
	"math"

	"switchback/results/record"
	"switchback/results/stats"
	"switchback/results/units"
)

// judge holds a run while it is judged.
type judge struct {
	run      Run
	rules    Rules
	table    *table
	dead     map[string]record.LostArm
	lost     []record.LostArm // the same, in the order of the blocks
	unusable bool             // the generator ran out of something, or a store failed
	failing  bool             // so many requests of the baseline failed that there is nothing to compare with
	share    float64          // of alpha, at this look
	validity record.Validity
	events   []string
	compared error            // the gates that compared nothing
	alone    map[string]aside // by arm: the noisy pairs where its own blocks alone are read
	beside   map[string]aside // by arm: those where its blocks are compared with the baseline's
	noisy    bool             // too few pairs without noise are left to decide
	refused  bool             // a gate, for the baseline's failed requests
}

// invalid adds a reason that makes the measurement invalid.
func (j *judge) invalid(format string, args ...any) {
	j.validity.OK = false
	j.note(format, args...)
}

// note adds a remark to the validity.
func (j *judge) note(format string, args ...any) {
	j.validity.Notes = append(j.validity.Notes, fmt.Sprintf(format, args...))
}

// gates judges every claim. The claims about one arm and the baseline share
// the arm's coins and are tested together by max-T, with the companion test of
// stalls; those about an arm's own value by Holm. The families share alpha by
// the number of their claims.
func (j *judge) gates(claims []claim) []record.Gate {
	all := make([]evidence, len(claims))
	families := map[string][]*evidence{}
	for i, c := range claims {
		all[i] = j.gather(c)
		all[i].alpha = c.alpha * j.share
		family := c.Arm
		if c.own() {
			family = ownFamily
		}
		if all[i].fault == "" {
			families[family] = append(families[family], &all[i])
		}
	}
	judged := map[*evidence]record.Gate{}
	var stalls []record.Gate
	for _, arm := range j.rules.Arms {
		if family := families[arm]; len(family) > 0 {
			stalls = append(stalls, j.judgeCompared(arm, family, share(family, families), judged)...)
		}
	}
	j.judgeOwn(families[ownFamily], share(families[ownFamily], families), judged)
	gates := make([]record.Gate, 0, len(all)+len(stalls))
	for i := range all {
		gates = append(gates, j.finish(&all[i], judged, len(claims)))
	}
	return append(gates, stalls...)
}

// ownFamily is the name of the family of claims about an arm's own value; no
// arm has it.
const ownFamily = ""

// share is a family's share of alpha.
func share(family []*evidence, families map[string][]*evidence) float64 {
	n := 0
	for _, f := range families {
		n += len(f)
	}
	return float64(len(family)) / float64(max(1, n))
}

// judgeCompared judges the claims about an arm and the baseline, and returns
// the stall test if it decides.
func (j *judge) judgeCompared(arm string, claims []*evidence, part float64, judged map[*evidence]record.Gate) []record.Gate {
	var family []stats.Hypothesis
	for _, e := range claims {
		e.alpha = e.claim.alpha * j.share * part
		family = append(family, stats.Hypothesis{Scores: stats.RankScores(e.values, e.margin, e.units), Alpha: e.alpha})
	}
	stall, tested := j.stallTest(arm, part)
	if tested {
		family = append(family, stall.hypothesis)
	}
	results := stats.MaxT(family, j.run.Manifest.Seed)
	for i, e := range claims {
		judged[e] = e.decide(results[i])
	}
	if !tested {
		return nil
	}
	return j.decideStall(stall, results[len(claims)])
}

// decide turns a test result into a verdict: a regression when the lower bound
// is above the margin and the difference above the floor, a pass when the
// upper bound is below the one or the other.
func (e *evidence) decide(r stats.Adjusted) record.Gate {
	shift := stats.NewShift(e.values)
	lower, upper := shift.Lower(r.Level, e.margin), shift.Upper(e.alpha, e.margin)
	g := e.gate()
	g.Lower, g.Upper, g.P = e.shown(lower), e.shown(upper), r.Adjusted
	if e.base == 0 && math.IsInf(g.Upper, 0) && !math.IsInf(upper, 0) {
		g.Reason = "no ratio: the baseline is 0; " + units.Probability(g.P) + " against no change"
	}
	g.NoAnswer = math.IsInf(stats.Endless(lower), 1)
	switch {
	case lower > e.margin && e.aboveFloor():
		g.Verdict = record.Regression
	case upper < e.margin || e.belowFloor() || e.neverAbove():
		g.Verdict = record.Pass
	}
	e.addPower(&g, shift.Estimate())
	return g
}

// floor is the difference below which nothing is a regression, 0 unless set.
func (e *evidence) floor() float64 {
	if e.Floor == nil {
		return 0
	}
	return e.Floor.Value
}

// aboveFloor says whether the estimated difference is above the floor; a
// missed improvement has none.
func (e *evidence) aboveFloor() bool {
	return e.key == "min_improvement" || stats.HodgesLehmann(e.plain) > e.floor()
}

func (e *evidence) belowFloor() bool {
	return e.key != "min_improvement" && stats.NewShift(e.plain).Upper(e.alpha, e.floor()) < e.floor()
}

// neverAbove says whether so many units all lie at or below the margin that
// their median does: the order statistic's answer, which values that equal the
// margin leave to it (a metric that never changes, gated at 0).
func (e *evidence) neverAbove() bool {
	for _, v := range e.values {
		if v > e.margin {
			return false
		}
	}
	return len(e.values) >= leastUnits(1, e.alpha)
}

// judgeOwn judges the claims about an arm's own value by order statistics, all
// at the strictest alpha among them.
func (j *judge) judgeOwn(claims []*evidence, part float64, judged map[*evidence]record.Gate) {
	if len(claims) == 0 {
		return
	}
	p := make([]float64, len(claims))
	alpha := 1.0
	for i, e := range claims {
		above, below := stats.MedianTest(e.values, e.margin)
		if p[i] = above; e.key == "min" {
			p[i] = below
		}
		alpha = min(alpha, e.claim.alpha*j.share*part)
	}
	adjusted, level := stats.Holm(p, alpha)
	for i, e := range claims {
		e.alpha = alpha
		judged[e] = e.decideOwn(adjusted[i], level[i])
	}
}

func (e *evidence) decideOwn(p, level float64) record.Gate {
	strictLower, strictUpper := stats.MedianBounds(e.values, level)
	lower, upper := stats.MedianBounds(e.values, e.alpha)
	broken, kept := strictLower > e.margin, upper <= e.margin
	g := e.gate()
	g.Lower, g.Upper, g.P = strictLower, upper, p
	if e.key == "min" {
		broken, kept = strictUpper < e.margin, lower >= e.margin
		g.Lower, g.Upper = lower, strictUpper
	}
	g.NoAnswer = math.IsInf(g.Lower, 1)
	switch {
	case broken:
		g.Verdict = record.Regression
	case kept:
		g.Verdict = record.Pass
	}
	return g
}

// gate returns the claim's entry in the summary, not yet decided.
func (e *evidence) gate() record.Gate {
	return record.Gate{
		Metric: e.Metric, Group: e.Group, Arm: e.Arm, Bound: e.Bound.String(), Line: e.Line,
		Margin: e.shownMargin(), Alpha: e.alpha, Lower: math.Inf(-1), Upper: math.Inf(1), P: 1,
		Verdict: record.Inconclusive, Pairs: e.pairs,
	}
}

// finish returns the gate of a claim: a regression when its arm died; invalid
// when the baseline died or failed too often, the arm could not be started through
// no fault of its own, data are missing or too few units are left.
func (j *judge) finish(e *evidence, judged map[*evidence]record.Gate, claims int) record.Gate {
	g, ok := judged[e]
	if !ok {
		g = e.gate()
	}
	need := leastUnits(claims, e.claim.alpha*j.share)
	switch {
	case j.isDead(j.rules.Baseline):
		g.Verdict, g.Reason = record.Invalid, "the baseline "+j.dead[j.rules.Baseline].String()
		return g
	case j.isDead(e.Arm) && !j.dead[e.Arm].ByArm():
		g.Verdict, g.Reason = record.Invalid, "the arm "+j.dead[e.Arm].String()
		return g
	case j.isDead(e.Arm):
		g.Verdict, g.Reason = record.Regression, "the arm "+j.dead[e.Arm].String()
		return g
	case e.refused:
		g.Verdict, g.Reason, j.refused = record.Invalid, e.fault, true
		j.note("gate on %s of %s: %s", name(e.Metric, e.Group), e.Arm, e.fault)
		return g
	case ok && len(e.values) >= need:
		return j.onNoisyMachine(g, e.own())
	case ok:
		e.fault = fmt.Sprintf("%d pairs or launches; alpha %.3g needs %d", len(e.values), e.claim.alpha*j.share, need)
	}
	g.Verdict, g.Reason = record.Invalid, e.fault
	if e.pairs == 0 {
		j.compared = errors.Join(j.compared, fmt.Errorf("%w: %s of arm %s", ErrNothingCompared, name(e.Metric, e.Group), e.Arm))
	}
	j.invalid("gate on %s of %s: %s", name(e.Metric, e.Group), e.Arm, e.fault)
	return g
}

func name(metric, group string) string {
	if group == "" {
		return metric
	}
	return metric + " [" + group + "]"
}
