package report

import (
	"fmt"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// maxNotes bounds the notes and events that are printed; all are in the
// summary.
const maxNotes = 12

func (p *printer) head(run Run) {
	s := run.Summary
	against := ""
	if arms := run.Candidates(); len(arms) > 0 {
		against = ": " + strings.Join(arms, ", ") + " against " + s.Baseline
	}
	for _, l := range figures.Wrap(figures.Printable(s.Experiment+against), p.width) {
		p.line(p.style(bold, l))
	}
	p.wrapped("", strings.Join([]string{units.Count(s.Pairs, "pair"), units.Count(s.Launches, "launch"), units.Count(s.Requests, "request"),
		units.Count(s.Errors, "error"), fmt.Sprintf("seed %d", s.Seed)}, ", "), 0)
	if k := run.Manifest.MachineKind; k.CPUs > 0 {
		p.wrapped("", figures.Printable(fmt.Sprintf("%s, %s, %d GiB, %s, %s", k.CPU, units.Count(k.CPUs, "CPU"), k.MemoryGiB, k.Architecture, run.Manifest.Kernel)), 0)
	}
	if answers := s.Answers(); answers != "" {
		p.wrapped("", "status codes: "+figures.Printable(answers), 0)
	}
	if sentences := run.Sentences(); len(sentences) > 0 {
		p.line()
		for _, sentence := range sentences {
			p.wrapped("", sentence+".", 0)
		}
	}
}

// pooled writes the TTFB of each group, of all blocks together. An arm that a
// group does not have, such as a step of another arm's rollout, has no row.
func (p *printer) pooled(run Run, title string, groups []string) {
	if len(groups) == 0 {
		return
	}
	column := min((p.width-positionColumns)/len(quantiles()), 12)
	head := pad("", positionColumns)
	for _, q := range quantiles() {
		head += right(q, column)
	}
	p.line()
	p.line(p.style(bold, title+", TTFB, pooled"))
	p.line(p.style(bold, head))
	for _, g := range groups {
		name := groupValue(g)
		for _, arm := range run.Summary.Arms {
			line := pad(figures.Cut(figures.Escape(name), 9), 10) + pad(figures.Cut(figures.Escape(arm), 13), 14)
			known := false
			for _, q := range quantiles() {
				v := run.value(metric.TTFB+"."+q, g, arm)
				line, known = line+right(v, column), known || v != "-"
			}
			if known {
				p.line(line)
				name = ""
			}
		}
	}
}

// positions are the groups by position of the match, in the order of the table.
func (r Run) positions() []string {
	groups := r.Groups("position")
	slices.SortFunc(groups, func(a, b string) int { return positionPlace(a) - positionPlace(b) })
	return groups
}

// positionColumns is the width of a position and an arm's name.
const positionColumns = 24

// positionPlace is the place of a position: in the order of the table.
func positionPlace(group string) int {
	return slices.Index(positionGroups(), group)
}

func positionGroups() []string {
	return []string{"position=first", "position=middle", "position=last", "position=unknown", "position=none"}
}

// value formats an arm's value of a metric, the pooled one before the other.
func (r Run) value(metric, group, arm string) string {
	text := "-"
	for _, m := range r.Summary.Metrics {
		if v, ok := m.Arms[arm]; ok && m.Name == metric && m.Group == group {
			text = units.Number(v, m.Unit)
			if m.Pooled {
				break
			}
		}
	}
	return text
}

// legend explains the marks that the tables hold.
func (p *printer) legend(run Run) {
	marks := "~ can't be told apart"
	if slices.ContainsFunc(run.Summary.Metrics, func(m record.Metric) bool { return m.Pooled }) {
		marks += "; pooled: over all blocks, without an interval, since one block holds too few requests"
	}
	p.line()
	p.wrapped("", marks, 0)
}

func (p *printer) events(events []string) {
	if len(events) == 0 {
		return
	}
	p.line()
	p.line(p.style(bold, "events"))
	p.list(events)
}

// lastLines writes what lost arms wrote last.
func (p *printer) lastLines(deaths []record.LostArm) {
	for _, d := range deaths {
		if len(d.Lines) == 0 {
			continue
		}
		p.line()
		p.line(p.style(bold, figures.Cut("last lines of "+figures.Escape(d.Arm), p.width)))
		for _, line := range d.Lines {
			p.wrapped("  | ", figures.Printable(line), 4)
		}
	}
}

// list writes notes, a dash before each.
func (p *printer) list(notes []string) {
	for _, n := range notes[:min(len(notes), maxNotes)] {
		p.wrapped("  - ", figures.Printable(n), 4)
	}
	if more := len(notes) - maxNotes; more > 0 {
		p.line(fmt.Sprintf("  … and %d more in summary.json", more))
	}
}

// validity writes whether the measurement can be believed, and what the
// machine did meanwhile.
func (p *printer) validity(run Run) {
	p.line()
	state := p.style(green, "the measurement is valid")
	if !run.Summary.Validity.OK {
		state = p.style(red, "the measurement is INVALID")
	}
	p.line(state)
	p.list(run.Summary.Validity.Notes)
	if noise := run.Noise(); noise != "" {
		p.wrapped("  noise: ", noise, 9)
	}
	if order := run.OrderEffect(); order != "" {
		p.wrapped("  order: ", order, 9)
	}
}

func (p *printer) foot(run Run) {
	p.line()
	p.line("verdict: ", p.style(verdictStyle(run.Summary.Verdict), figures.Cut(figures.Escape(run.Summary.Verdict), 20)))
	if run.Folder == "" {
		return
	}
	// Whole, however long: a path is there to be copied.
	p.line("run:     ", figures.Escape(run.Folder))
	if run.HTML {
		p.line("report:  ", figures.Escape(run.Folder), "/", HTMLFile)
	}
	p.line("more:    switchback report ", figures.Escape(run.Folder))
}

func verdictStyle(verdict string) string {
	switch verdict {
	case record.Pass:
		return bold + ";" + green
	case record.Regression, record.Invalid:
		return bold + ";" + red
	case record.Inconclusive:
		return bold + ";" + amber
	}
	return bold
}
