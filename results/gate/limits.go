package gate

import (
	"cmp"
	"maps"
	"slices"

	"switchback/results/record"
	"switchback/results/units"
)

// checkLimits makes a run invalid in which the generator ran out of files,
// ports or memory: the requests that failed for it say nothing about an arm.
func (j *judge) checkLimits() {
	total := map[string]int{}
	for _, b := range j.run.Blocks {
		for limit, n := range b.Limits {
			total[limit] += n
		}
	}
	for _, limit := range slices.Sorted(maps.Keys(total)) {
		j.unusable = true
		j.invalid("%s", record.LimitNote(limit, total[limit]))
	}
}

// dialReasons bounds the reasons that are listed for an arm.
const dialReasons = 3

// listDialErrors adds an event for each reason why connections to an arm could
// not be opened.
func (j *judge) listDialErrors() {
	for _, arm := range j.rules.Arms {
		total := map[string]int{}
		for _, b := range j.run.Blocks {
			if b.Arm == arm {
				for reason, n := range b.DialErrors {
					total[reason] += n
				}
			}
		}
		reasons := slices.SortedFunc(maps.Keys(total), func(a, b string) int {
			return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b))
		})
		for _, reason := range reasons[:min(len(reasons), dialReasons)] {
			j.event("arm %s: %s could not be opened: %s", arm, units.Count(total[reason], "connection"), reason)
		}
	}
}
