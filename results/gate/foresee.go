package gate

import (
	"fmt"

	"switchback/results/metric"
	"switchback/results/units"
)

// Foreseen is what a gate of a design can see, told before anything is measured.
type Foreseen struct {
	Metric, Group, Arm string
	Bound              string
	Effect             string // "a true change of +3.1 % is called with 80 % power (…)"
}

// Foresee returns what each gate of the rules can see with blocks of so many
// seconds, in the order of the file. The gate on errors that every candidate
// has comes last.
func (r Rules) Foresee(length float64) []Foreseen {
	b := Budget{Rules: r.withDefaults(Run{}, nil)}
	var all []Foreseen
	for _, c := range b.claims() {
		f := Foreseen{Metric: c.Metric, Group: c.Group, Arm: c.Arm, Bound: c.Bound.String()}
		v, ok := b.visible(c, Choice{Length: length, Pairs: b.Pairs})
		switch {
		case ok && !c.metric.PerLaunch && (c.metric.Quantile > 0 || c.Metric == metric.EdgeCPU):
			f.Effect = v.called()
		case c.own():
			f.Effect = "the arm's own value is held against the bound"
		default:
			f.Effect = "what it can see rests on a spread that only the run shows"
		}
		all = append(all, f)
	}
	return all
}

// Title names the gate.
func (f Foreseen) Title() string {
	return fmt.Sprintf("%s of %s, %s", name(f.Metric, f.Group), f.Arm, f.Bound)
}

// called says which effect is visible, and where that is known from.
func (v Visible) called() string {
	source := "usual spread; switchback calibrate measures this machine's"
	if v.Calibrated {
		source = "spread from calibration"
	}
	return fmt.Sprintf("a true change of %s is called with 80 %% power (%s)", units.Ratio(1+v.MDE, false), source)
}
