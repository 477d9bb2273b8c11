package gate

import (
	"errors"
	"fmt"
	"slices"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
	"switchback/results/units"
)

// ErrNothingCompared means that a gate found no values to judge: a metric or
// group that the run does not have.
var ErrNothingCompared = errors.New("a gate found no values")

// Summarise computes the summary of a run from its blocks: every metric of
// every group with its change and interval, validity, gates and the verdict.
//
// A run that ended early is summarised as far as it came. When a gate compared
// nothing, the summary is complete, its verdict is invalid, and the error
// wraps ErrNothingCompared. Any other error comes without a summary.
func Summarise(run Run, rules Rules) (record.Summary, error) {
	t, err := newTable(run.Blocks)
	if err == nil {
		err = rules.check()
	}
	if err != nil {
		return record.Summary{}, fmt.Errorf("summarising %s: %w", run.Manifest.Run, err)
	}
	j := &judge{run: run, rules: rules.withDefaults(run, t.arms), table: t, validity: record.Validity{OK: true, Notes: []string{}}}
	j.dead = j.findDead()
	j.share = j.rules.lookShare(t.complete(j.rules.Arms))
	j.checkValidity()
	s := j.counts()
	s.Metrics = j.metrics()
	j.listStalls()
	j.listDialErrors()
	s.Gates, s.Verdict = j.verdict()
	s.Validity, s.Events, s.Deaths = j.believed(), j.events, j.lost
	return s, j.compared
}

func (j *judge) event(format string, args ...any) {
	j.events = append(j.events, fmt.Sprintf(format, args...))
}

func (j *judge) counts() record.Summary {
	m := j.run.Manifest
	s := record.Summary{
		Schema: record.SummarySchema, Experiment: m.Experiment, Run: m.Run, Seed: m.Seed,
		Baseline: j.rules.Baseline, Arms: j.rules.Arms, Confidence: j.rules.Confidence,
		Pairs: j.table.complete(j.rules.Arms), Launches: j.table.launches,
	}
	for _, b := range j.run.Blocks {
		s.Requests += b.Due
		for _, n := range b.Errors {
			s.Errors += n
		}
		countCodes(&s, b)
	}
	if planned := j.rules.Pairs; planned > s.Pairs {
		j.note("%d of %d planned pairs are complete", s.Pairs, planned)
	}
	if j.fewLaunches() && !j.rules.OneProcess {
		j.note("each arm was started %s: the intervals hold for these processes, not for the next start", units.Count(j.table.launches, "time"))
	}
	return s
}

// metrics returns every series that the blocks hold, then those that only all
// requests of an arm together hold.
func (j *judge) metrics() []record.Metric {
	var all []record.Metric
	shown := map[series]bool{}
	for _, s := range j.table.names {
		m, ok := metric.Lookup(s.metric)
		if !ok || j.seldom(s) {
			continue
		}
		shown[s] = true
		all = append(all, j.metric(s, m))
	}
	return append(all, j.pooled(shown)...)
}

// seldom says whether a series is absent from over a tenth of the blocks that
// could have it, while all requests together have it.
func (j *judge) seldom(s series) bool {
	have, blocks := 0, 0
	for _, pair := range j.table.pairs {
		for _, c := range pair {
			blocks++
			if _, ok := c.values[s]; ok {
				have++
			}
		}
	}
	return tooMany(blocks-have, blocks) && slices.ContainsFunc(j.rules.Arms, func(arm string) bool {
		_, ok := j.poolValue(arm, s)
		return ok
	})
}

func (j *judge) metric(s series, m metric.Metric) record.Metric {
	out := record.Metric{Name: s.metric, Group: s.group, Unit: m.Unit, Arms: map[string]float64{}}
	for _, arm := range j.rules.Arms {
		if values, _ := j.table.own(s, arm, j.alone[arm].pairs); len(values) > 0 {
			out.Arms[arm] = stats.Median(values)
		}
		if arm == j.rules.Baseline {
			continue
		}
		if c, ok := j.change(s, m, arm); ok {
			if out.Change == nil {
				out.Change = map[string]record.Change{}
			}
			out.Change[arm] = c
		}
	}
	return out
}

// pooled returns the series of the pool that are not shown yet. They have no
// interval.
func (j *judge) pooled(shown map[series]bool) []record.Metric {
	var all []record.Metric
	for _, arm := range j.rules.Arms {
		for _, v := range j.run.Pooled[arm] {
			s := series{v.Metric, v.Group}
			m, ok := metric.Lookup(s.metric)
			if shown[s] || !ok {
				continue
			}
			shown[s] = true
			out := record.Metric{Name: s.metric, Group: s.group, Unit: m.Unit, Pooled: true, Arms: map[string]float64{}}
			for _, other := range j.rules.Arms {
				if v, ok := j.poolValue(other, s); ok {
					out.Arms[other] = v
				}
			}
			all = append(all, out)
		}
	}
	return all
}

func (j *judge) poolValue(arm string, s series) (float64, bool) {
	values := j.run.Pooled[arm]
	i := slices.IndexFunc(values, func(v record.Value) bool { return v.Metric == s.metric && v.Group == s.group })
	if i < 0 {
		return 0, false
	}
	return values[i].Value, true
}

// verdict judges the gates and returns the verdict of the run. Validity comes
// first; only the death of a candidate is beyond the doubt of a noisy machine,
// unless the generator ran out of something: the arm may have died of that too.
func (j *judge) verdict() ([]record.Gate, string) {
	claims := j.rules.claims()
	if len(claims) == 0 {
		return []record.Gate{}, j.withoutGates()
	}
	alpha := j.rules.strictest(claims) * firstShare(j.rules.Looks)
	planned := j.rules.Pairs
	short := planned < leastUnits(len(claims), alpha)
	before := j.validity
	gates := j.gates(claims)
	if short || j.rules.ReportOnly {
		j.validity, j.compared = before, nil // nothing was to be judged, so nothing is missing
		for i := range gates {
			gates[i].Verdict = record.None
		}
		if short && !j.rules.ReportOnly { // else whoever set it says why
			j.note("gates are not judged: %d pairs are planned, they need %d", planned, UnitsNeeded(len(claims), alpha))
		}
		return gates, j.withoutGates()
	}
	switch lost := j.lostVerdict(); {
	case lost != "":
		return gates, lost
	case !j.validity.OK:
		return gates, record.Invalid
	}
	return gates, worst(gates)
}

// withoutGates is the verdict when there is nothing to judge: none, or invalid
// where the numbers are not to be believed, which a short run does not claim.
// Lost arms count all the same.
func (j *judge) withoutGates() string {
	switch lost := j.lostVerdict(); {
	case lost != "":
		return lost
	case !j.rules.Short && !j.believed().OK:
		return record.Invalid
	}
	return record.None
}

// believed is the validity with the machine's noise and the gates that were refused.
// These alone don't end a run: a regression beside them stands.
func (j *judge) believed() record.Validity {
	v := j.validity
	v.OK = v.OK && !j.noisy && !j.refused
	return v
}
