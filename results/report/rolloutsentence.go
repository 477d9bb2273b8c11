package report

import (
	"fmt"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// maxRolloutSentences bounds how many arms the head of a rollout speaks of; the
// baseline is a rollout too.
const maxRolloutSentences = 4

// rolloutSentences says for each arm how far its rollout came and what it cost
// the origin; none where the run is not a rollout.
func (r Run) rolloutSentences() []string {
	var all []string
	for _, arm := range r.Summary.Arms {
		if s := r.rolloutSentence(arm); s != "" && len(all) < maxRolloutSentences {
			all = append(all, s)
		}
	}
	return all
}

func (r Run) rolloutSentence(arm string) string {
	extra, found := r.total(metric.RolloutExtraOrigin, arm)
	if !found {
		return ""
	}
	var parts []string
	if share := r.furthest(arm); share > 0 {
		parts = append(parts, "moved up to "+units.Number(share, "ratio")+" of the requests to the new version")
	}
	parts = append(parts, r.askedAgain(arm, extra))
	if errors, known := r.total(metric.ErrorsRatio, arm); known {
		parts = append(parts, units.Number(errors, "ratio")+" errors")
	}
	return figures.Cut(figures.Escape(arm+": "+strings.Join(parts, "; ")+r.stopped(arm)), maxSentence)
}

// askedAgain tells the bill of a rollout beside what the formula says.
func (r Run) askedAgain(arm string, extra float64) string {
	expected, known := r.total(metric.RolloutExpectedOrigin, arm)
	if known && expected == 0 {
		return "no key moves, so nothing was asked again because of it"
	}
	text := fmt.Sprintf("the origin was asked again %s times for what caches had held", units.Thousands(max(0, extra)))
	if known {
		text += " (" + units.Thousands(expected) + " by formula)"
	}
	if peak, ok := r.total(metric.RolloutPeakOrigin, arm); ok {
		text += ", at worst " + units.Thousands(peak) + " in a second"
	}
	return text
}

// stopped says where a tripwire ended an arm's rollout.
func (r Run) stopped(arm string) string {
	for _, d := range r.Decisions {
		if d.Arm == arm && d.Reason != "" && d.Action != record.Begin {
			return "; a tripwire made it " + map[string]string{"rollback": "go back", "hold": "stop"}[d.Action] + " in step " + d.Step
		}
	}
	return ""
}

// total is an arm's value of a metric of all requests.
func (r Run) total(name, arm string) (float64, bool) {
	m, _ := r.Find(name, "")
	v, ok := m.Arms[arm]
	return v, ok
}

// furthest is the largest share of requests that the new version served in a
// step of an arm.
func (r Run) furthest(arm string) float64 {
	most := 0.0
	for _, m := range r.Summary.Metrics {
		if m.Name == metric.RolloutShare {
			most = max(most, m.Arms[arm])
		}
	}
	return most
}
