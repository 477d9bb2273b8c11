package gate

import (
	"fmt"
	"math"
	"slices"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
)

// series names one metric of one group.
type series struct{ metric, group string }

// cell is one block with its values by name.
type cell struct {
	*record.Block
	values map[series]float64
}

// table holds the blocks of a run by pair and arm.
type table struct {
	arms     []string // by name
	pairs    []map[string]*cell
	names    []series // in the order of their first value
	launches int
}

func newTable(blocks []record.Block) (*table, error) {
	t := &table{}
	place := map[string]int{}
	launches := map[int]bool{}
	named := map[series]bool{}
	for i := range blocks {
		b := &blocks[i]
		key := fmt.Sprint(b.Cell, "/", b.Pair)
		at, ok := place[key]
		if !ok {
			at = len(t.pairs)
			place[key] = at
			t.pairs = append(t.pairs, map[string]*cell{})
		}
		if t.pairs[at][b.Arm] != nil {
			return nil, fmt.Errorf("pair %d has two blocks of arm %s", b.Pair, b.Arm)
		}
		t.pairs[at][b.Arm] = t.newCell(b, named)
		launches[b.Launch] = true
		if !slices.Contains(t.arms, b.Arm) {
			t.arms = append(t.arms, b.Arm)
		}
	}
	slices.Sort(t.arms)
	t.launches = len(launches)
	return t, nil
}

func (t *table) newCell(b *record.Block, named map[series]bool) *cell {
	c := &cell{Block: b, values: make(map[series]float64, len(b.Metrics))}
	for _, v := range b.Metrics {
		s := series{v.Metric, v.Group}
		c.values[s] = v.Value
		if !named[s] {
			named[s] = true
			t.names = append(t.names, s)
		}
	}
	return c
}

// complete counts the pairs that have a whole block of every arm.
func (t *table) complete(arms []string) int {
	n := 0
	for _, pair := range t.pairs {
		if wholePair(pair, arms) {
			n++
		}
	}
	return n
}

func wholePair(pair map[string]*cell, arms []string) bool {
	return !slices.ContainsFunc(arms, func(arm string) bool { return pair[arm] == nil || pair[arm].Dead })
}

// paired holds the values of two arms in the pairs that have both.
type paired struct {
	base, arm []float64
	launch    []int
	pair      []int
	missing   int // complete pairs without both values
}

// of returns the values of a series in the complete pairs of two arms, but for
// those to skip. For a Ratio metric a value that is not above zero counts as missing;
// +Inf is "no answer".
func (t *table) of(s series, kind metric.Kind, baseline, arm string, skip map[int]bool) paired {
	var p paired
	has := func(v float64, ok bool) bool {
		return ok && usable(v) && (kind == metric.Diff || v > 0)
	}
	for i, pair := range t.pairs {
		if skip[i] || !wholePair(pair, []string{baseline, arm}) {
			continue
		}
		a, okA := pair[baseline].values[s]
		b, okB := pair[arm].values[s]
		if !has(a, okA) || !has(b, okB) {
			p.missing++
			continue
		}
		p.base, p.arm = append(p.base, a), append(p.arm, b)
		p.launch, p.pair = append(p.launch, pair[arm].Launch), append(p.pair, i)
	}
	return p
}

// launchFold returns how the blocks of a launch become one value of a metric.
func launchFold(m metric.Metric) func(values []float64, group []int) ([]float64, []int) {
	if m.PerLaunch && m.Fold == metric.ByMax {
		return groupMaxima
	}
	return stats.GroupMeans
}

// byLaunch replaces the values by one for each launch, as a metric has that is
// read once a launch.
func (p paired) byLaunch(m metric.Metric) paired {
	fold := launchFold(m)
	out := paired{missing: p.missing}
	out.base, out.launch = fold(p.base, p.launch)
	out.arm, _ = fold(p.arm, p.launch)
	out.pair = out.launch
	return out
}

func groupMaxima(values []float64, group []int) (maxima []float64, groups []int) {
	for i, v := range values {
		at := slices.Index(groups, group[i])
		if at < 0 {
			at = len(groups)
			groups, maxima = append(groups, group[i]), append(maxima, v)
		}
		maxima[at] = max(maxima[at], v)
	}
	return maxima, groups
}

// usable reports whether a value of a block is a number or "no answer".
func usable(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, -1) }

// ratios returns ln(arm/base) for each value, differences arm − base.
func (p paired) ratios() []float64 {
	d := make([]float64, len(p.arm))
	for i := range d {
		d[i] = stats.LogRatio(p.arm[i], p.base[i])
	}
	return d
}

func (p paired) differences() []float64 {
	d := make([]float64, len(p.arm))
	for i := range d {
		d[i] = stats.Difference(p.arm[i], p.base[i])
	}
	return d
}

// own returns the usable values of one arm, but for the pairs to skip, with their launches.
func (t *table) own(s series, arm string, skip map[int]bool) (values []float64, launch []int) {
	for i, pair := range t.pairs {
		c := pair[arm]
		if c == nil || c.Dead || skip[i] {
			continue
		}
		if v, ok := c.values[s]; ok && usable(v) {
			values, launch = append(values, v), append(launch, c.Launch)
		}
	}
	return values, launch
}
