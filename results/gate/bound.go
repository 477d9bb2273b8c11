// Package gate turns bounds and measured blocks into verdicts.
package gate

// Bound is one line of an experiment's gate section: exactly one of Max, Min,
// MaxRegression, MaxIncrease and MinImprovement.
type Bound struct {
	Metric string `yaml:"metric" json:"metric"`
	Group  string `yaml:"group,omitempty" json:"group,omitempty"`
	Arm    string `yaml:"arm,omitempty" json:"arm,omitempty"` // default: every arm but the baseline

	Max            *Amount `yaml:"max,omitempty" json:"max,omitempty"`                         // of the arm's own value
	Min            *Amount `yaml:"min,omitempty" json:"min,omitempty"`                         // of the arm's own value
	MaxRegression  *Amount `yaml:"max_regression,omitempty" json:"max_regression,omitempty"`   // relative to the baseline, in the metric's worse direction
	MinImprovement *Amount `yaml:"min_improvement,omitempty" json:"min_improvement,omitempty"` // relative to the baseline, in the metric's better direction
	MaxIncrease    *Amount `yaml:"max_increase,omitempty" json:"max_increase,omitempty"`       // absolute difference; for hit ratios of the decrease
	Floor          *Amount `yaml:"floor,omitempty" json:"floor,omitempty"`                     // differences below it are no regression

	Alpha float64 `yaml:"alpha,omitempty" json:"alpha,omitempty"` // default: the section's, 0.05
	Line  int     `yaml:"-" json:"line,omitempty"`                // in the experiment file
}

// Amount is a number with the unit it was written in: 5%, 50us, 64MiB, 0.01.
// Value is in base units: seconds, bytes, shares.
type Amount struct {
	Value float64
	Text  string
}
