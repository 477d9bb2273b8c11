package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
)

// flat bounds the exponents of what does not grow: by less than a quarter where
// the axis grows tenfold.
const flat = 0.1

// growthSentence tells how a sweep's times grow along its first axis, all arms
// in one sentence; "" where nothing was fitted.
func (r Run) growthSentence() string {
	i := slices.IndexFunc(r.Summary.Growth, func(g record.Growth) bool {
		return g.Group == "" && g.Arm == r.Summary.Baseline && slices.Contains([]string{metric.TTFB + metric.Mean, metric.ServiceTTFB + metric.Mean}, g.Metric)
	})
	if i < 0 {
		return ""
	}
	lead := r.Summary.Growth[i]
	clauses := []string{lead.Arm + " " + growthClause(lead)}
	for _, arm := range r.Candidates() {
		if g, ok := r.growthOf(lead, arm); ok {
			clauses = append(clauses, arm+" "+growthClause(g))
		}
	}
	family, _, _ := strings.Cut(lead.Metric, ".")
	at := ""
	if lead.At != "" {
		at = " at " + lead.At
	}
	return figures.Cut(figures.Escape(spoken(family+".mean").noun+" on average, along n = "+lead.Axis+at+": "+strings.Join(clauses, "; ")), maxSentence)
}

// maxSentence bounds a sentence in characters: names come from files.
const maxSentence = 400

// growthClause says "grows with n^0.98 (0.97 … 1.00)". The interval decides the
// verb.
func growthClause(g record.Growth) string {
	power := fmt.Sprintf("n^%.2f (%.2f … %.2f)", zero(g.Exponent), zero(g.Low), zero(g.High))
	switch {
	case math.Max(math.Abs(g.Low), math.Abs(g.High)) <= flat:
		return "does not grow: " + power
	case g.Low > 0:
		return "grows with " + power
	case g.High < 0:
		return "falls with " + power
	}
	return "may grow or not: " + power
}

// zero rounds what would read -0.00.
func zero(v float64) float64 { return cmp.Or(math.Round(100*v)/100, 0) }
