package gate

import (
	"errors"
	"fmt"
	"math"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
	"switchback/results/units"
)

// unpaired judges a run against a reference.
type unpaired struct {
	*judge
	ref Reference
}

// sample is one claim with the values of the reference and of the run, on the
// scale of its margin and in the metric's worse direction.
type sample struct {
	evidence
	ref, run []float64
}

// gates judges every bound on a change by the rank-sum test, together by Holm.
func (u *unpaired) gates() []record.Gate {
	var samples []sample
	var p []float64
	claims := u.referenceClaims()
	if len(claims) == 0 {
		u.invalid("no gate bounds a change of an arm that the reference has")
		u.compared = fmt.Errorf("%w: no gate bounds a change of an arm that the reference has", ErrNothingCompared)
	}
	for _, c := range claims {
		s := u.sample(c)
		if s.fault != "" {
			u.invalid("gate on %s of %s: %s", name(c.Metric, c.Group), c.Arm, s.fault)
			u.compared = errors.Join(u.compared, fmt.Errorf("%w: %s of arm %s", ErrNothingCompared, name(c.Metric, c.Group), c.Arm))
			continue
		}
		samples = append(samples, s)
		p = append(p, stats.RankSumTest(s.ref, s.run, s.margin, s.alpha).Greater)
	}
	gates := []record.Gate{}
	if len(samples) == 0 {
		return gates
	}
	adjusted, level := stats.Holm(p, u.rules.strictest(claimsOf(samples)))
	for i, s := range samples {
		gates = append(gates, s.decide(adjusted[i], level[i]))
	}
	return gates
}

func claimsOf(samples []sample) []claim {
	claims := make([]claim, len(samples))
	for i, s := range samples {
		claims[i] = s.claim
	}
	return claims
}

// referenceClaims are the bounds on a change: of the arms they name, or of all
// arms that the reference has.
func (u *unpaired) referenceClaims() []claim {
	var all []claim
	for _, b := range u.rules.Bounds {
		for _, arm := range u.rules.Arms {
			c := u.rules.claim(b, arm)
			if !c.own() && (b.Arm == arm || b.Arm == "" && u.ref.Arms[arm] != nil) {
				all = append(all, c)
			}
		}
	}
	return all
}

func (u *unpaired) sample(c claim) sample {
	key := series{c.Metric, c.Group}
	s := sample{evidence: evidence{claim: c, alpha: c.alpha}}
	ref, run := u.ref.values(c.Arm, key), u.ownUnits(key, c.metric, c.Arm)
	if len(ref) == 0 || len(run) == 0 {
		s.fault = "nothing to compare: the reference and the run must both have it"
		return s
	}
	s.base, s.pairs = stats.Median(ref), min(len(ref), len(run))
	s.margin = c.margin(s.base)
	s.ref, s.run = s.scale(ref), s.scale(run)
	if s.ref == nil || s.run == nil {
		s.fault = "a value is not above zero, so there is no ratio"
	}
	return s
}

// scale puts values on the scale of the margin; nil when a logarithm fails.
func (s sample) scale(values []float64) []float64 {
	scaled := append([]float64(nil), values...)
	for i, v := range values {
		if s.relative() {
			if v <= 0 {
				return nil
			}
			scaled[i] = stats.LogRatio(v, 1)
		} else {
			scaled[i] = stats.Difference(v, 0)
		}
	}
	return worse(s.metric, scaled)
}

func (s sample) decide(p, level float64) record.Gate {
	lower := stats.RankSumTest(s.ref, s.run, s.margin, level).Lower
	r := stats.RankSumTest(s.ref, s.run, s.margin, s.alpha)
	g := s.gate()
	g.Lower, g.Upper, g.P = s.shown(lower), s.shown(r.Upper), p
	g.NoAnswer = math.IsInf(g.Lower, 1)
	switch {
	case lower > s.margin:
		g.Verdict = record.Regression
	case r.Upper < s.margin:
		g.Verdict = record.Pass
	}
	return g
}

// metrics returns the metrics of the gates with the reference as their
// baseline.
func (u *unpaired) metrics(gates []record.Gate) []record.Metric {
	var all []record.Metric
	shown := map[series]int{}
	for _, g := range gates {
		key := series{g.Metric, g.Group}
		info, _ := metric.Lookup(g.Metric)
		ref, run := u.ref.values(g.Arm, key), u.ownUnits(key, info, g.Arm)
		at, ok := shown[key]
		if !ok {
			at = len(all)
			shown[key] = at
			all = append(all, record.Metric{Name: g.Metric, Group: g.Group, Unit: info.Unit,
				Arms: map[string]float64{ReferenceArm: stats.Median(ref)}, Change: map[string]record.Change{}})
		}
		all[at].Arms[g.Arm] = stats.Median(run)
		all[at].Change[g.Arm] = u.change(info, ref, run)
	}
	return all
}

func (u *unpaired) change(m metric.Metric, ref, run []float64) record.Change {
	alpha := (1 - u.rules.Confidence) / 2
	s := sample{evidence: evidence{claim: claim{metric: metric.Metric{Kind: m.Kind, LowerBetter: true}}}}
	ref, run = s.scale(ref), s.scale(run)
	r := stats.RankSumTest(ref, run, 0, alpha)
	c := record.Change{IsDiff: m.Kind == metric.Diff, P: min(1, 2*min(r.Greater, r.Less)), Pairs: min(len(ref), len(run))}
	if math.IsInf(stats.Endless(r.Shift), 1) {
		c.NoAnswer, c.Low, c.High = record.ByArm, math.Inf(-1), math.Inf(1)
		return c
	}
	if noise := stats.Endless(unpairedNoise(ref, run)); !math.IsNaN(noise) {
		c.MDE = stats.Detectable(noise, 1, 1-u.rules.Confidence)
	}
	if m.Kind == metric.Diff {
		c.Diff, c.Low, c.High = r.Shift, r.Lower, r.Upper
		return c
	}
	c.Ratio, c.Low, c.High, c.MDE = math.Exp(r.Shift), math.Exp(stats.Endless(r.Lower)), math.Exp(stats.Endless(r.Upper)), math.Expm1(c.MDE)
	return c
}

// unpairedNoise is the standard error of the shift of two samples.
func unpairedNoise(a, b []float64) float64 {
	sa, sb := stats.Spread(a), stats.Spread(b)
	return math.Sqrt(sa*sa/float64(len(a)) + sb*sb/float64(len(b)))
}

// warn says how much weaker the comparison is than one of pairs.
func (u *unpaired) warn(gates []record.Gate) {
	u.note("unpaired comparison with run %s: drift between the two runs is not in its error rate", u.ref.Run)
	for _, g := range gates {
		key := series{g.Metric, g.Group}
		info, _ := metric.Lookup(g.Metric)
		if info.Kind != metric.Ratio || g.Arm == u.rules.Baseline {
			continue
		}
		c, ok := u.judge.change(key, info, g.Arm)
		weak := u.change(info, u.ref.values(g.Arm, key), u.ownUnits(key, info, g.Arm))
		if ok && c.MDE > 0 && !units.Endless(c.MDE) && weak.NoAnswer == "" && !units.Endless(weak.MDE) {
			u.note("%s of %s: this comparison sees changes of %s, the pairs of the run itself %s", name(g.Metric, g.Group), g.Arm, units.Ratio(1+weak.MDE, false), units.Ratio(1+c.MDE, false))
		}
	}
}
