package gate

import (
	"fmt"
	"math"
	"slices"
)

// minAbove is the number of requests that a block must have above a quantile.
const minAbove = 5

// leastUnits returns the number of pairs or launches below which no gate of so
// many can be decided at alpha: n units have 2ⁿ equally likely signs.
func leastUnits(gates int, alpha float64) int {
	return max(1, int(math.Ceil(math.Log2(float64(max(1, gates))/alpha)-1e-9)))
}

// UnitsNeeded returns the pairs, and with more than one pair a launch the
// launches, that a design needs for so many gates at alpha (that of the first
// look): ⌈log₂(gates/alpha)⌉ + 2. The two allow for a lost pair and a tie.
func UnitsNeeded(gates int, alpha float64) int { return leastUnits(gates, alpha) + 2 }

// Holds says whether a block with n requests of a group holds a quantile: at
// least five of them are expected above it. A q of 0 stands for a mean, which
// one request holds; the maximum (1) is never held.
func Holds(q float64, n int) bool {
	if q == 0 {
		return n >= 1
	}
	return float64(n)*(1-q) >= minAbove-1e-9
}

// RequestsNeeded returns the requests of a block that hold a quantile below 1.
func RequestsNeeded(q float64) int {
	if q == 0 {
		return 1
	}
	return int(math.Ceil(minAbove/(1-q) - 1e-9))
}

// Design is a plan to be checked before a run.
type Design struct {
	Rules
	// Requests of a block by group; "" for all. A group without a fixed number
	// is absent, and its quantiles cannot be gated.
	Requests map[string]int
}

// DesignError says why gates cannot be decided, and the number that would do.
type DesignError struct {
	Line   int // of the bound in the experiment file; 0 when it is about all
	Reason string
	Needed int // pairs, launches or requests, as the reason says; 0 when no number would do
}

func (e *DesignError) Error() string { return e.Reason }

// Check returns an error when a bound is malformed, and a *DesignError when a gate can't be decided by the design: a
// quantile that a block cannot hold, or too few pairs or launches for alpha.
func (d Design) Check() error {
	if err := d.Rules.check(); err != nil {
		return err
	}
	rules := d.Rules.withDefaults(Run{}, nil)
	claims := rules.claims()
	if len(claims) == 0 || rules.ReportOnly {
		return nil
	}
	for _, c := range claims {
		if err := d.holds(c); err != nil {
			return err
		}
	}
	return rules.reachable(claims)
}

func (d Design) holds(c claim) error {
	of := "a block"
	if c.Group != "" {
		of = c.Group + " in a block"
	}
	n, fixed := d.Requests[c.Group]
	switch {
	case c.metric.PerLaunch && d.OneProcess && !c.own():
		return &DesignError{Line: c.Line, Reason: fmt.Sprintf("gate on %s: the arms are not started by the run, so a launch's values are not compared", c.Metric)}
	case c.metric.Quantile == 0:
		return nil
	case c.metric.Quantile >= 1:
		return &DesignError{Line: c.Line, Reason: fmt.Sprintf("gate on %s: no block holds a maximum; gate a quantile", c.Metric)}
	case !fixed:
		return &DesignError{Line: c.Line, Reason: fmt.Sprintf("gate on %s: %s has no fixed number of requests; use targets.per_block", c.Metric, of)}
	case !Holds(c.metric.Quantile, n):
		need := RequestsNeeded(c.metric.Quantile)
		return &DesignError{Line: c.Line, Needed: need, Reason: fmt.Sprintf(
			"gate on %s: %d requests of %s do not hold it; %d would", c.Metric, n, of, need)}
	}
	return nil
}

// reachable checks pairs and launches against the strictest alpha.
func (r Rules) reachable(claims []claim) error {
	alpha := r.strictest(claims) * firstShare(r.Looks)
	need := UnitsNeeded(len(claims), alpha)
	if r.Pairs < need {
		return &DesignError{Needed: need, Reason: fmt.Sprintf(
			"%d pairs can't reach alpha %v for %d gates; %d would", r.Pairs, alpha, len(claims), need)}
	}
	if launches := r.Launches; launches > 0 && launches < need && !r.OneProcess {
		return &DesignError{Needed: need, Reason: fmt.Sprintf(
			"%d launches can't reach alpha %v for %d gates; %d would", launches, alpha, len(claims), need)}
	}
	return nil
}

func (r Rules) strictest(claims []claim) float64 {
	return slices.MinFunc(claims, func(a, b claim) int {
		if a.alpha < b.alpha {
			return -1
		}
		return 1
	}).alpha
}
