package gate

import (
	"slices"

	"switchback/results/record"
)

// findDead returns how arms were lost, and adds an event for each.
func (j *judge) findDead() map[string]record.LostArm {
	dead := map[string]record.LostArm{}
	for _, b := range j.run.Blocks {
		if _, known := dead[b.Arm]; known || !b.Dead {
			continue
		}
		lost := record.LostArm{Cell: b.Cell, Arm: b.Arm, Pair: b.Pair, Order: b.Order, Death: b.LostBy()}
		dead[b.Arm] = lost
		j.lost = append(j.lost, lost)
		j.event("pair %d, block %d: arm %s %v", b.Pair, b.Order, b.Arm, lost.Death)
	}
	return dead
}

// isDead tells whether an arm was lost.
func (j *judge) isDead(arm string) bool {
	_, dead := j.dead[arm]
	return dead
}

// checkDead makes a run invalid whose baseline was lost, and one in which an
// arm could not be started through no fault of its own.
func (j *judge) checkDead() {
	for _, lost := range j.lost {
		switch {
		case lost.Arm == j.rules.Baseline:
			j.invalid("the baseline %s %v: there is nothing to compare with", lost.Arm, lost.Death)
		case !lost.ByArm():
			j.invalid("arm %s %v", lost.Arm, lost.Death)
		}
	}
}

// lostVerdict is the verdict about lost arms, whatever the machine did: invalid
// when the baseline is lost or fails, or an arm is through no fault of its own, a regression
// when a candidate is, "" when none is.
func (j *judge) lostVerdict() string {
	innocent := func(lost record.LostArm) bool { return lost.Arm == j.rules.Baseline || !lost.ByArm() }
	judged := func(lost record.LostArm) bool { return slices.Contains(j.rules.candidates(), lost.Arm) }
	switch {
	case j.unusable, slices.ContainsFunc(j.lost, innocent), j.failing && len(j.lost) > 0:
		return record.Invalid
	case slices.ContainsFunc(j.lost, judged):
		return record.Regression
	}
	return ""
}
