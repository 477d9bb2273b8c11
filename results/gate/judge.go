package gate

import (
	"errors"
	"fmt"
	"math"

	"switchback/results/record"
	"switchback/results/stats"
)

// judge holds a run while it is judged.
type judge struct {
	run      Run
	rules    Rules
	table    *table
	dead     map[string]bool // arms that died in some block
	share    float64         // of alpha, at this look
	validity record.Validity
	events   []string
	compared error // the gates that compared nothing
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

// gates judges every claim. The claims about a comparison are tested together
// by max-T, with the companion test of stalls; those about an arm's own value
// by Holm. Where there are both, alpha is shared by their number.
func (j *judge) gates(claims []claim) []record.Gate {
	all := make([]evidence, len(claims))
	var compared, own []*evidence
	for i, c := range claims {
		all[i] = j.gather(c)
		all[i].alpha *= j.share
		switch {
		case all[i].fault != "":
		case c.own():
			own = append(own, &all[i])
		default:
			compared = append(compared, &all[i])
		}
	}
	judged := map[*evidence]record.Gate{}
	part := float64(max(1, len(compared)+len(own)))
	stalls := j.judgeCompared(compared, float64(len(compared))/part, judged)
	j.judgeOwn(own, float64(len(own))/part, judged)
	gates := make([]record.Gate, 0, len(all)+len(stalls))
	for i := range all {
		gates = append(gates, j.finish(&all[i], judged, len(claims)))
	}
	return append(gates, stalls...)
}

// judgeCompared judges the claims about a comparison and returns the stall
// tests that decide.
func (j *judge) judgeCompared(claims []*evidence, part float64, judged map[*evidence]record.Gate) []record.Gate {
	var family []stats.Hypothesis
	for _, e := range claims {
		e.alpha *= part
		family = append(family, stats.Hypothesis{Scores: stats.RankScores(e.values, e.margin, e.units), Alpha: e.alpha})
	}
	stalls := j.stallTests(part)
	for _, s := range stalls {
		family = append(family, s.hypothesis)
	}
	results := stats.MaxT(family, j.run.Manifest.Seed)
	for i, e := range claims {
		judged[e] = e.decide(results[i])
	}
	return j.decideStalls(stalls, results[len(claims):])
}

// decide turns a test result into a verdict: a regression when the lower bound
// is above the margin and the difference above the floor, a pass when the
// upper bound is below the one or the other.
func (e *evidence) decide(r stats.Adjusted) record.Gate {
	shift := stats.NewShift(e.values)
	lower, upper := shift.Lower(r.Level, e.margin), shift.Upper(e.alpha, e.margin)
	g := e.gate()
	g.Lower, g.Upper, g.P = e.shown(lower), e.shown(upper), r.Adjusted
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

// judgeOwn judges the claims about an arm's own value by order statistics.
func (j *judge) judgeOwn(claims []*evidence, part float64, judged map[*evidence]record.Gate) {
	if len(claims) == 0 {
		return
	}
	alpha := claims[0].alpha
	p := make([]float64, len(claims))
	for i, e := range claims {
		above, below := stats.MedianTest(e.values, e.margin)
		if p[i] = above; e.key == "min" {
			p[i] = below
		}
		alpha = min(alpha, e.alpha)
	}
	alpha *= part
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
// when the baseline died, data are missing or too few units are left.
func (j *judge) finish(e *evidence, judged map[*evidence]record.Gate, claims int) record.Gate {
	g, ok := judged[e]
	if !ok {
		g = e.gate()
	}
	need := leastUnits(claims, e.alpha)
	switch {
	case j.dead[j.rules.Baseline]:
		g.Verdict, g.Reason = record.Invalid, "the baseline died"
		return g
	case j.dead[e.Arm]:
		g.Verdict, g.Reason = record.Regression, "the arm died"
		return g
	case ok && len(e.values) >= need:
		return g
	case ok:
		e.fault = fmt.Sprintf("%d pairs or launches; alpha %.3g needs %d", len(e.values), e.alpha, need)
	}
	g.Verdict, g.Reason = record.Invalid, e.fault
	if len(e.values) == 0 {
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
