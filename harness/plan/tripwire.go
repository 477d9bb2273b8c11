package plan

import (
	"slices"

	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/results/units"
)

// Values returns what a window measured of a metric in a group ("" for all
// requests); false where it has no value.
type Values func(metric, group string) (value float64, ok bool)

// Finding is how one tripwire stands at the end of a window. A tripwire is a
// fuse, not a test: it compares plain numbers, without an interval.
type Finding struct {
	Bound   gate.Bound
	Value   float64
	Base    float64 // what a relative bound compares with: the last window before the rollout
	Known   bool    // the window, and for a relative bound the base, has a value
	Tripped bool
}

// Findings judges tripwires on a window. base may be nil.
func Findings(tripwires []gate.Bound, window, base Values) []Finding {
	var all []Finding
	for _, b := range tripwires {
		all = append(all, find(b, window, base))
	}
	return all
}

func find(b gate.Bound, window, base Values) Finding {
	f := Finding{Bound: b}
	m, known := metric.Lookup(b.Metric)
	value, measured := window(b.Metric, b.Group)
	f.Value, f.Known = value, known && measured
	if !f.Known {
		return f
	}
	switch {
	case b.Max != nil:
		f.Tripped = f.Value > b.Max.Value
		return f
	case b.Min != nil:
		f.Tripped = f.Value < b.Min.Value
		return f
	}
	f.Known = false
	if base != nil {
		f.Base, f.Known = base(b.Metric, b.Group)
	}
	f.Tripped = f.Known && f.worse(m)
	return f
}

// worse judges a relative bound: by how much the value is worse than the base.
func (f Finding) worse(m metric.Metric) bool {
	b, from, to := f.Bound, f.Base, f.Value
	if !m.LowerBetter {
		from, to = to, from // worse is what is smaller
	}
	if b.Floor != nil && to-from <= b.Floor.Value {
		return false
	}
	switch {
	case b.MaxRegression != nil:
		return to > from*(1+b.MaxRegression.Value)
	case b.MaxIncrease != nil:
		return to-from > b.MaxIncrease.Value
	}
	return to > from*(1-b.MinImprovement.Value)
}

// Text returns the value in the metric's unit.
func (f Finding) Text() string {
	m, _ := metric.Lookup(f.Bound.Metric)
	return units.Number(f.Value, m.Unit) + units.Per(m.Unit)
}

func tripped(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Tripped })
}
