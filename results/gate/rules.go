package gate

import (
	"cmp"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// Rules say what a run is judged by. The zero value judges nothing: the
// summary has intervals and validity, and the verdict none.
type Rules struct {
	Arms           []string     // in the order of the file; default: by name
	Baseline       string       // default: the first arm
	Bounds         []Bound      // of the gate section
	Alpha          float64      // of bounds that have none; default 0.05
	Confidence     float64      // of the intervals of all metrics; default 0.95
	Pairs          int          // planned; default: as the manifest has drawn
	Launches       int          // planned; default: as the blocks have
	Looks          int          // 2: alpha is split 0.2 / 0.8 over half of the pairs and all; default 1
	OneProcess     bool         // the arms are one process or running servers: launches are no level
	ReportOnly     bool         // bounds are shown and not judged
	Short          bool         // the run only shows that it runs: without gates its verdict is none, whatever the machine did
	Generator      float64      // CPUs of the load generator; default 1
	BaselineErrors float64      // share of the baseline's requests that may fail in a valid run; default 0.01
	Calibration    *Calibration // of this kind of machine, if there is one
}

// Run is what was measured.
type Run struct {
	Manifest record.Manifest
	Blocks   []record.Block
	Pooled   map[string][]record.Value // arm → statistics of all its requests, for quantiles that a block cannot hold
	Tail     *Tail                     // for the companion test of stalls; nil: not made
}

// Defaults of Rules, and the rate of errors that every experiment with gates
// may gain.
const (
	DefaultAlpha          = 0.05
	DefaultConfidence     = 0.95
	DefaultBaselineErrors = 0.01
	maxErrorIncrease      = 0.001
)

// check refuses bounds that Bound.Validate refuses.
func (r Rules) check() error {
	for _, b := range r.Bounds {
		if err := b.Validate(); err != nil {
			return err
		}
	}
	return nil
}

func (r Rules) withDefaults(run Run, arms []string) Rules {
	if len(r.Arms) == 0 {
		r.Arms = arms
	}
	if r.Baseline == "" && len(r.Arms) > 0 {
		r.Baseline = r.Arms[0]
	}
	r.Alpha = cmp.Or(r.Alpha, DefaultAlpha)
	r.Confidence = cmp.Or(r.Confidence, DefaultConfidence)
	r.Pairs = cmp.Or(r.Pairs, len(run.Manifest.Order))
	r.Generator = cmp.Or(r.Generator, 1)
	r.BaselineErrors = cmp.Or(r.BaselineErrors, DefaultBaselineErrors)
	return r
}

// candidates returns the arms that are compared with the baseline; the only
// arm of an experiment stands for itself.
func (r Rules) candidates() []string {
	var arms []string
	for _, arm := range r.Arms {
		if arm != r.Baseline {
			arms = append(arms, arm)
		}
	}
	if arms == nil {
		return r.Arms
	}
	return arms
}

// claim is one bound on one arm.
type claim struct {
	Bound
	limit
	metric metric.Metric
	alpha  float64
}

// claims expands the bounds to one claim for each arm, and adds the default
// bound on the errors of every candidate.
func (r Rules) claims() []claim {
	var all []claim
	guarded := map[string]bool{}
	for _, b := range r.Bounds {
		arms := []string{b.Arm}
		if b.Arm == "" {
			arms = r.candidates()
		}
		for _, arm := range arms {
			all = append(all, r.claim(b, arm))
			if b.Metric == metric.ErrorsRatio && b.Group == "" {
				guarded[arm] = true
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	for _, arm := range r.candidates() {
		if !guarded[arm] && arm != r.Baseline {
			all = append(all, r.claim(errorBound(), arm))
		}
	}
	return all
}

func (r Rules) claim(b Bound, arm string) claim {
	b.Arm = arm
	m, _ := metric.Lookup(b.Metric)
	c := claim{Bound: b, metric: m, alpha: cmp.Or(b.Alpha, r.Alpha)}
	if set := b.limits(); len(set) > 0 {
		c.limit = set[0]
	}
	return c
}

func errorBound() Bound {
	return Bound{Metric: metric.ErrorsRatio, MaxIncrease: &units.Amount{Value: maxErrorIncrease, Text: "0.1%"}}
}

// own says whether the claim bounds the arm's own value.
func (c claim) own() bool { return c.key == "max" || c.key == "min" }

// relative says whether the claim is judged by the logarithm of the ratio.
func (c claim) relative() bool {
	return !c.own() && c.key != "max_increase" && c.metric.Kind == metric.Ratio
}
