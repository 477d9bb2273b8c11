package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// row is a line of a table that compares an arm with the baseline.
type row struct {
	name, part    string // TTFB, p90
	baseline, arm string
	change, span  string
	sense         figures.Sense
}

// quantiles are those that the tables show.
func quantiles() []string { return []string{"p50", "p90", "p99"} }

// Find returns a metric of a group, the one with an interval before the pooled.
func (r Run) Find(name, group string) (record.Metric, bool) {
	var pooled record.Metric
	found := false
	for _, m := range r.Summary.Metrics {
		if m.Name != name || m.Group != group {
			continue
		}
		if !m.Pooled {
			return m, true
		}
		pooled, found = m, true
	}
	return pooled, found
}

// compare makes the row of a metric, with the baseline alone where arm is "";
// false when neither arm has a value.
func (r Run) compare(metric, group, arm string) (row, bool) {
	m, ok := r.Find(metric, group)
	if !ok {
		return row{}, false
	}
	base, hasBase := m.Arms[r.Summary.Baseline]
	value, hasValue := m.Arms[arm]
	if !hasBase && !hasValue {
		return row{}, false
	}
	out := row{baseline: "-"}
	if hasBase {
		out.baseline = units.Number(base, m.Unit)
	}
	switch {
	case hasValue:
		out.arm = units.Number(value, m.Unit)
	case arm != "":
		out.arm = "-"
	}
	c, changed := m.Change[arm]
	switch {
	case m.Pooled:
		out.span = "pooled"
	case changed:
		out.change, out.span = figures.Change(metric, m.Unit, c), figures.Interval(m.Unit, c)
		out.sense = figures.Judge(metric, c)
	}
	return out, true
}

// mainRows are the rows of all requests, of the whole run (group "") or of a
// part of it.
func (r Run) mainRows(arm, group string) []row {
	rows := r.quantileRows(metric.TTFB, "TTFB", group, arm)
	rows = append(rows, r.quantileRows(metric.Page, "page view", group, arm)...)
	for _, name := range metric.In(metric.Text) {
		if out, ok := r.compare(name, group, arm); ok && (name != metric.AnswersDiffer || r.anyAbove(name, group)) {
			out.name = figures.MetricLabel(name)
			rows = append(rows, out)
		}
	}
	return rows
}

// anyAbove reports whether an arm's value of a metric is above zero.
func (r Run) anyAbove(metric, group string) bool {
	m, _ := r.Find(metric, group)
	for _, v := range m.Arms {
		if v > 0 {
			return true
		}
	}
	return false
}

func (r Run) quantileRows(family, name, group, arm string) []row {
	var rows []row
	for _, q := range quantiles() {
		out, ok := r.compare(family+"."+q, group, arm)
		if !ok {
			continue
		}
		if len(rows) == 0 {
			out.name = name
		}
		out.part = q
		rows = append(rows, out)
	}
	return rows
}

// Groups returns the groups of a key that have metrics: sizes from the
// largest, steps in the order of time, others in the alphabet's order.
func (r Run) Groups(groupKey string) []string {
	var groups []string
	for _, m := range r.Summary.Metrics {
		if key, _, _ := strings.Cut(m.Group, "="); key == groupKey && !slices.Contains(groups, m.Group) {
			groups = append(groups, m.Group)
		}
	}
	if groupKey == stepKey {
		return r.inTime(groups)
	}
	slices.SortFunc(groups, func(a, b string) int {
		return cmp.Or(cmp.Compare(groupNumber(b), groupNumber(a)), cmp.Compare(a, b))
	})
	return groups
}

// stepKey is the key of the groups that the steps of a rollout are.
const stepKey = "step"

// inTime sorts steps by when they begin in a block, in the arm in which they
// begin last: 100 comes after 50 although another arm is flipped at once. Without
// the log of the rollout the order is that of the summary.
func (r Run) inTime(groups []string) []string {
	begins := map[string]float64{}
	first := map[[2]string]bool{} // an arm's decision about a step
	for _, d := range r.Decisions {
		if key := [2]string{d.Arm, d.Step}; !first[key] {
			first[key] = true
			group := record.Group(stepKey, d.Step)
			begins[group] = max(begins[group], d.At)
		}
	}
	slices.SortStableFunc(groups, func(a, b string) int { return cmp.Compare(begins[a], begins[b]) })
	return groups
}

// groupNumber is the number after the equals sign, 0 where there is none.
func groupNumber(group string) int {
	_, value, _ := strings.Cut(group, "=")
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0
	}
	return n
}
