// Package gate turns bounds and measured blocks into verdicts: it checks that a
// design can decide its gates, summarises the blocks of a run, judges validity
// first and gates second, and explains the verdict. It reads and writes no
// files but those of the calibration and of stored references.
package gate

import (
	"errors"
	"fmt"
	"strings"

	"switchback/results/metric"
	"switchback/results/units"
)

// Bound is one line of an experiment's gate section: exactly one of Max, Min,
// MaxRegression, MaxIncrease and MinImprovement.
type Bound struct {
	Metric string `yaml:"metric" json:"metric"`
	Group  string `yaml:"group,omitempty" json:"group,omitempty"`
	Arm    string `yaml:"arm,omitempty" json:"arm,omitempty"` // default: every arm but the baseline

	Max            *units.Amount `yaml:"max,omitempty" json:"max,omitempty"`                         // of the arm's own value
	Min            *units.Amount `yaml:"min,omitempty" json:"min,omitempty"`                         // of the arm's own value
	MaxRegression  *units.Amount `yaml:"max_regression,omitempty" json:"max_regression,omitempty"`   // relative to the baseline, in the metric's worse direction
	MinImprovement *units.Amount `yaml:"min_improvement,omitempty" json:"min_improvement,omitempty"` // relative to the baseline, in the metric's better direction
	MaxIncrease    *units.Amount `yaml:"max_increase,omitempty" json:"max_increase,omitempty"`       // absolute difference; for hit ratios of the decrease
	Floor          *units.Amount `yaml:"floor,omitempty" json:"floor,omitempty"`                     // differences below it are no regression

	Alpha float64 `yaml:"alpha,omitempty" json:"alpha,omitempty"` // default: the section's, 0.05
	Line  int     `yaml:"-" json:"line,omitempty"`                // in the experiment file
}

// limit is a bound's one limit: its key and its amount.
type limit struct {
	key    string
	amount *units.Amount
}

func (b Bound) limits() []limit {
	var set []limit
	for _, l := range []limit{
		{"max", b.Max}, {"min", b.Min}, {"max_regression", b.MaxRegression},
		{"min_improvement", b.MinImprovement}, {"max_increase", b.MaxIncrease},
	} {
		if l.amount != nil {
			set = append(set, l)
		}
	}
	return set
}

// String returns the limit as the file has it: "max_regression 5%, floor 50us".
func (b Bound) String() string {
	var parts []string
	for _, l := range b.limits() {
		parts = append(parts, l.key+" "+l.amount.String())
	}
	if b.Floor != nil {
		parts = append(parts, "floor "+b.Floor.String())
	}
	return strings.Join(parts, ", ")
}

// Validate checks a bound by itself: a known metric, exactly one limit, units
// that fit the metric, amounts and alpha in range.
func (b Bound) Validate() error {
	if b.Metric == "" {
		return errors.New("gate without a metric")
	}
	m, ok := metric.Lookup(b.Metric)
	if !ok {
		return fmt.Errorf("gate on unknown metric %q", b.Metric)
	}
	set := b.limits()
	if len(set) != 1 {
		return fmt.Errorf("gate on %s: want exactly one of max, min, max_regression, min_improvement, max_increase, have %d", b.Metric, len(set))
	}
	if b.Alpha != 0 && !(b.Alpha > 0 && b.Alpha <= 0.5) {
		return fmt.Errorf("gate on %s: alpha %v is outside (0, 0.5]", b.Metric, b.Alpha)
	}
	if err := set[0].check(m); err != nil {
		return fmt.Errorf("gate on %s: %w", b.Metric, err)
	}
	return b.checkFloor(m, set[0].key)
}

func (b Bound) checkFloor(m metric.Metric, key string) error {
	switch {
	case b.Floor == nil:
		return nil
	case key == "max" || key == "min" || key == "min_improvement":
		return fmt.Errorf("gate on %s: a floor belongs to max_regression or max_increase, not to %s", b.Metric, key)
	case b.Floor.Value < 0:
		return fmt.Errorf("gate on %s: floor %s is below zero", b.Metric, b.Floor)
	}
	if err := fits(*b.Floor, m); err != nil {
		return fmt.Errorf("gate on %s: floor %w", b.Metric, err)
	}
	return nil
}

func (l limit) check(m metric.Metric) error {
	v := l.amount.Value
	switch l.key {
	case "max_regression", "min_improvement":
		if !l.amount.Is(units.Part) {
			return fmt.Errorf("%s %s: want a share of the baseline, such as 5%%", l.key, l.amount)
		}
		if v < 0 || l.key == "min_improvement" && v >= 1 {
			return fmt.Errorf("%s %s is out of range", l.key, l.amount)
		}
		return nil
	}
	if v < 0 {
		return fmt.Errorf("%s %s is below zero", l.key, l.amount)
	}
	if err := fits(*l.amount, m); err != nil {
		return fmt.Errorf("%s %w", l.key, err)
	}
	return nil
}

// fits says whether an amount is written in the metric's unit.
func fits(a units.Amount, m metric.Metric) error {
	if !a.Is(units.KindOf(m.Unit)) {
		return fmt.Errorf("%s: the metric is in %s", a, m.Unit)
	}
	return nil
}
