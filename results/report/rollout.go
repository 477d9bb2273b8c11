package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"switchback/results/record"
	"switchback/results/report/figures"
)

// RolloutStep is what the blocks of an arm did in one step, summed up.
type RolloutStep struct {
	Name     string
	blocks   int
	seconds  float64
	expected *float64
	evicted  float64 // objects that were asked again at the rate of the time before
	still    bool    // the rollout moves no key: what is asked again was evicted
	origin   int64
	lastRate float64 // objects asked again for each request, in the last stretch of the step
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
	account(steps)
	return steps
}

// account tells what the rollout cost from what evictions cost: they go on at
// the rate of the time before. A rollout whose steps cost nothing by the formula
// moves no key, and all that it asks again was evicted.
func account(steps []*RolloutStep) {
	if len(steps) == 0 {
		return
	}
	before := steps[0]
	still := len(steps) > 1
	for _, s := range steps[1:] {
		still = still && (s.expected != nil && *s.expected == 0 || s.expected == nil && s.blocks == 0)
	}
	for i, s := range steps {
		s.still = still
		if i > 0 && !still && before.Requests > 0 {
			s.evicted = before.lastRate * float64(s.Requests)
		}
	}
}

// again is what the step asked again, a block, because of the rollout.
func (s *RolloutStep) again() float64 {
	return max(0, float64(s.Extra)-s.evicted) / float64(max(1, s.blocks))
}

// unpaid says how much of its bill a step paid that was too short for its keys to
// be asked again, "" of others: by chance alone the sum differs from the formula
// by its root.
func (s *RolloutStep) unpaid() string {
	if s.expected == nil || s.blocks == 0 {
		return ""
	}
	bill := *s.expected / float64(s.blocks)
	if paid := s.again(); bill >= 20 && paid < 0.8*bill && paid < bill-3*math.Sqrt(bill) {
		return fmt.Sprintf("%s (%.0f of %.0f)", s.Name, paid, bill)
	}
	return ""
}

// RolloutNotes says what the figures of an arm's steps leave open: bills that
// were not paid, and evictions.
func RolloutNotes(steps []*RolloutStep) []string {
	if len(steps) == 0 {
		return nil
	}
	var notes, short []string
	for _, s := range steps {
		if part := s.unpaid(); part != "" {
			short = append(short, part)
		}
	}
	if short != nil {
		notes = append(notes, "too short to pay its bill, and what is open falls on what follows: step "+strings.Join(short, ", step "))
	}
	switch before := steps[0]; {
	case before.still:
		notes = append(notes, "the rollout moves no key, so it asks nothing again; “evicted” are objects that caches had pushed out")
	case before.lastRate > 0:
		notes = append(notes, fmt.Sprintf("evictions at the rate of the time before, %.1f in 1,000 requests, are taken off “again”", 1000*before.lastRate))
	}
	return notes
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
	if s.seconds += d.Window; d.Requests > 0 {
		s.lastRate = float64(d.Extra) / float64(d.Requests)
	}
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
		p.line(p.style(bold, p.rolloutRow("step", RolloutColumns(steps))))
		for _, s := range steps {
			p.line(p.rolloutRow(figures.Escape(s.Name), s.Figures()))
		}
		p.list(RolloutNotes(steps))
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
// formula says of them; the hit ratio of the content caches. Where the rollout
// moves no key, what is asked again is called evicted.
func RolloutColumns(steps []*RolloutStep) [7]string {
	again := "again"
	if len(steps) > 0 && steps[0].still {
		again = "evicted"
	}
	return [...]string{"new", "requests", "errors", "origin/s", again, "formula", "hits"}
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
	return [...]string{part(s.OnNew, s.Requests), mean(s.Requests), mean(s.Errors), origin, fmt.Sprintf("%.0f", s.again()), formula, part(s.Hits, s.Lookups)}
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
