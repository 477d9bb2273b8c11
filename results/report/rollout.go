package report

import (
	"fmt"
	"slices"

	"switchback/results/record"
	"switchback/results/report/figures"
)

// RolloutStep is what the blocks of an arm did in one step, summed up.
type RolloutStep struct {
	Name     string
	blocks   int
	seconds  float64
	expected *float64
	origin   int64
	record.Decision
}

// RolloutSteps sums up the decisions about an arm by step, in their order.
func (r Run) RolloutSteps(arm string) []*RolloutStep {
	var steps []*RolloutStep
	for _, d := range r.Decisions {
		if d.Arm != arm {
			continue
		}
		i := slices.IndexFunc(steps, func(s *RolloutStep) bool { return s.Name == d.Step })
		if i < 0 {
			i = len(steps)
			steps = append(steps, &RolloutStep{Name: d.Step})
		}
		steps[i].add(d)
	}
	return steps
}

func (s *RolloutStep) add(d record.Decision) {
	if d.Action == record.Begin {
		s.blocks++
		if d.Expected != nil {
			sum := *d.Expected
			if s.expected != nil {
				sum += *s.expected
			}
			s.expected = &sum
		}
		return
	}
	s.seconds += d.Window
	s.Requests, s.Errors, s.Extra = s.Requests+d.Requests, s.Errors+d.Errors, s.Extra+d.Extra
	s.Lookups, s.Hits, s.OnNew = s.Lookups+d.Lookups, s.Hits+d.Hits, s.OnNew+d.OnNew
	if d.Origin != nil {
		s.origin += *d.Origin
	}
}

// rollout writes, for each arm, what each step of its rollout did, and where
// a tripwire stopped it.
func (p *printer) rollout(run Run) {
	for _, arm := range run.Summary.Arms {
		steps := run.RolloutSteps(arm)
		if len(steps) == 0 {
			continue
		}
		p.line()
		p.line(p.style(bold, "rollout of "+figures.Name(arm)+", each block's mean"))
		p.line(p.style(bold, p.rolloutRow("step", RolloutColumns())))
		for _, s := range steps {
			p.line(p.rolloutRow(figures.Escape(s.Name), s.Figures()))
		}
	}
	p.trips(run.Decisions)
}

// rolloutRow lays out a row; a narrow page has the main columns only.
func (p *printer) rolloutRow(step string, cells [7]string) string {
	if p.width < defaultWidth {
		return pad(figures.Cut(step, 14), 15) + right(cells[0], 7) + right(cells[4], 8) + right(cells[5], 8)
	}
	line := pad(figures.Cut(step, 19), 20)
	for i, width := range [...]int{7, 10, 8, 10, 8, 9, 8} {
		line += right(cells[i], width)
	}
	return line
}

// RolloutColumns name the figures of a step: the share of its requests that the
// new version served; requests and errors; origin requests a second; origin
// requests for objects that a cache of the colo had served before, and what the
// formula says of them; the hit ratio of the content caches.
func RolloutColumns() [7]string {
	return [...]string{"new", "requests", "errors", "origin/s", "again", "formula", "hits"}
}

// Figures are the step's numbers as text, each a mean over the blocks, "-" for
// what is not known.
func (s *RolloutStep) Figures() [7]string {
	blocks := float64(max(1, s.blocks))
	part := func(k, n int) string {
		if n == 0 {
			return "-"
		}
		return fmt.Sprintf("%.1f%%", 100*float64(k)/float64(n))
	}
	formula, origin := "-", "-"
	if s.expected != nil {
		formula = fmt.Sprintf("%.0f", *s.expected/blocks)
	}
	if s.seconds > 0 {
		origin = fmt.Sprintf("%.1f", float64(s.origin)/s.seconds)
	}
	mean := func(n int) string { return fmt.Sprintf("%.0f", float64(n)/blocks) }
	return [...]string{part(s.OnNew, s.Requests), mean(s.Requests), mean(s.Errors), origin, mean(s.Extra), formula, part(s.Hits, s.Lookups)}
}

// trips lists what tripwires did.
func (p *printer) trips(decisions []record.Decision) {
	var said []string
	watched := false
	for _, d := range decisions {
		watched = watched || len(d.Tripwires) > 0
		if d.Reason != "" {
			said = append(said, fmt.Sprintf("%s: %s in step %s after %.1f s: %s", d.Arm, d.Action, d.Step, d.At, d.Reason))
		}
	}
	if !watched && said == nil {
		return
	}
	p.line()
	if said == nil {
		p.line("no tripwire tripped")
		return
	}
	p.list(said)
}
