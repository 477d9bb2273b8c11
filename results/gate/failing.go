package gate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// checkFailing makes a run invalid in which too many of the baseline's requests
// failed, over all or in a gated group: what an error page takes is nothing to
// compare with. An arm by itself has no baseline.
func (j *judge) checkFailing() {
	base := j.rules.Baseline
	if _, dead := j.dead[base]; dead || !slices.ContainsFunc(j.rules.Arms, func(arm string) bool { return arm != base }) {
		return
	}
	kinds, codes := j.answersOf(base)
	for _, group := range j.gatedGroups() {
		failed, n := j.failedOf(base, group)
		failed -= float64(kinds[record.ErrLimit.String()]) // the generator's own
		if n == 0 || failed <= j.rules.BaselineErrors*n {
			continue
		}
		j.failing = true
		j.invalid("%.0f of %.0f requests failed with the baseline %s, more than %s: there is nothing to compare with; its errors: %s; its status codes: %s",
			failed, n, name(base, group), units.Share(j.rules.BaselineErrors), countsOf(kinds), cmp.Or(codes.String(), "none"))
		return
	}
}

// gatedGroups returns the groups of the gates, first that of all requests.
func (j *judge) gatedGroups() []string {
	groups := []string{""}
	for _, c := range j.rules.claims() {
		if !slices.Contains(groups, c.Group) {
			groups = append(groups, c.Group)
		}
	}
	return groups
}

// failedOf counts the requests of a group with an arm, and those that failed.
func (j *judge) failedOf(arm, group string) (failed, n float64) {
	for _, b := range j.run.Blocks {
		for _, v := range b.Metrics {
			if b.Arm == arm && v.Metric == metric.ErrorsRatio && v.Group == group {
				failed, n = failed+math.Round(v.Value*float64(v.N)), n+float64(v.N)
			}
		}
	}
	return failed, n
}

// answersOf counts the errors of an arm by kind, and its answers by status code.
func (j *judge) answersOf(arm string) (kinds map[string]int, codes record.Codes) {
	kinds = map[string]int{}
	for _, b := range j.run.Blocks {
		if b.Arm != arm {
			continue
		}
		codes = codes.Plus(b.Codes)
		for kind, n := range b.Errors {
			kinds[kind] += n
		}
	}
	return kinds, codes
}

// countsOf lists counts by name: reset 3, status 1.
func countsOf(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

// countCodes adds the answers of a block to those of its arm.
func countCodes(s *record.Summary, b record.Block) {
	if len(b.Codes) > 0 {
		if s.Codes == nil {
			s.Codes = map[string]record.Codes{}
		}
		s.Codes[b.Arm] = s.Codes[b.Arm].Plus(b.Codes)
	}
	if b.Redirects > 0 {
		if s.Redirects == nil {
			s.Redirects = map[string]int{}
		}
		s.Redirects[b.Arm] += b.Redirects
	}
}
