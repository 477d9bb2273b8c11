package report

import (
	"fmt"

	"switchback/results/report/figures"
	"switchback/results/units"
)

// redirectsNamed is the share of an arm's answers above which redirects are
// named at the head of a report.
const redirectsNamed = 0.01

// redirected says of each arm that answers with redirects that they count as
// right: what they took is not what the pages behind them take.
func (r Run) redirected() []string {
	var all []string
	for _, arm := range r.Summary.Arms {
		codes, n := r.Summary.Codes[arm], r.Summary.Redirects[arm]
		share := float64(n) / float64(max(1, codes.Total()))
		if share <= redirectsNamed || len(all) == maxSentences {
			continue
		}
		all = append(all, fmt.Sprintf("%s of the answers of %s are redirects, which count as right (status codes: %s)",
			units.Number(share, "ratio"), figures.Cut(figures.Escape(arm), 40), figures.Printable(codes.Class("3").String())))
	}
	return all
}
