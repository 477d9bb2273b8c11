package report

import (
	"fmt"
	"io"
	"strings"

	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// Markdown writes the report of a run for a pull request or a change ticket,
// as GitHub reads it. Names and notes are escaped: none becomes a link, a
// mention, HTML or a new cell.
func Markdown(w io.Writer, run Run) error {
	m := &markdown{w: w}
	s := run.Summary
	m.line("## ", mark(s.Experiment), ": ", mark(s.Verdict))
	m.paragraph(run.Sentences()...)
	m.line()
	m.line(mark(headline(run)))
	if answers := s.Answers(); answers != "" {
		m.line()
		m.line("Status codes: ", mark(answers))
	}
	m.rollout(run)
	arms := run.Candidates()
	if arms == nil {
		arms = []string{""}
	}
	for _, arm := range arms {
		m.comparison(run, arm)
	}
	m.differing(run)
	m.gates(s.Gates)
	m.validity(run)
	if run.Folder != "" {
		m.line()
		m.line("More: ", code("switchback report "+run.Folder))
	}
	return m.err
}

// markdown writes lines; after an error it writes nothing more.
type markdown struct {
	w   io.Writer
	err error
}

func (m *markdown) line(parts ...string) {
	if m.err == nil {
		_, m.err = fmt.Fprintln(m.w, strings.Join(parts, ""))
	}
}

// paragraph writes sentences, each by itself.
func (m *markdown) paragraph(sentences ...string) {
	for _, s := range sentences {
		m.line()
		m.line("**", mark(s), ".**")
	}
}

// headline says how much was measured, and on what.
func headline(run Run) string {
	s := run.Summary
	text := strings.Join([]string{units.Count(s.Pairs, "pair"), units.Count(s.Launches, "launch"), units.Count(s.Requests, "request"),
		units.Count(s.Errors, "error"), fmt.Sprintf("seed %d", s.Seed)}, ", ")
	if k := run.Manifest.MachineKind; k.CPUs > 0 {
		text += fmt.Sprintf("; %s, %s, %d GiB, %s, %s", k.CPU, units.Count(k.CPUs, "CPU"), k.MemoryGiB, k.Architecture, run.Manifest.Kernel)
	}
	return text
}

// comparison writes a table of an arm against the baseline.
func (m *markdown) comparison(run Run, arm string) {
	m.line()
	if arm == "" {
		m.row("metric", "", run.Summary.Baseline)
		m.line("| :-- | :-- | --: |")
	} else {
		m.row("metric", "", run.Summary.Baseline, arm, "change", confidence(run, defaultWidth))
		m.line("| :-- | :-- | --: | --: | --: | --: |")
	}
	for _, r := range run.allRows(arm) {
		if arm == "" {
			m.row(r.name, r.part, r.baseline)
			continue
		}
		m.row(r.name, r.part, r.baseline, r.arm, r.change, r.span)
	}
}

// allRows are those of all requests, of each part of the run and of each size.
func (r Run) allRows(arm string) []row {
	rows := r.mainRows(arm, "")
	for _, key := range []string{"sweep", stepKey} {
		for _, g := range r.Groups(key) {
			parts := r.mainRows(arm, g)
			if key == stepKey && !compared(parts) {
				continue // the rollout's table has the step
			}
			for _, part := range parts {
				part.part = strings.TrimSpace(part.part + " " + g)
				rows = append(rows, part)
			}
		}
	}
	for _, g := range r.Groups("size") {
		rows = append(rows, r.quantileRows(metric.TTFB, figures.GroupLabel(g), g, arm)...)
	}
	return rows
}

// rollout writes what each step of each arm's rollout did.
func (m *markdown) rollout(run Run) {
	for _, arm := range run.Summary.Arms {
		steps := run.RolloutSteps(arm)
		if len(steps) == 0 {
			continue
		}
		columns := RolloutColumns(steps)
		m.line()
		m.row(append([]string{"rollout of " + arm}, columns[:]...)...)
		m.line("| :-- |", strings.Repeat(" --: |", len(columns)))
		for _, s := range steps {
			cells := s.Figures()
			m.row(append([]string{s.Name}, cells[:]...)...)
		}
		for _, note := range RolloutNotes(steps) {
			m.line()
			m.line(mark(note), ".")
		}
	}
}

func (m *markdown) row(cells ...string) {
	for i, c := range cells {
		cells[i] = mark(c)
	}
	m.line("| ", strings.Join(cells, " | "), " |")
}

func (m *markdown) gates(gates []record.Gate) {
	if len(gates) == 0 {
		return
	}
	m.line()
	m.row("verdict", "gate", "rests on")
	m.line("| :-- | :-- | :-- |")
	for _, g := range gates {
		m.row(g.Verdict, gate.Title(g), strings.Join(gate.Grounds(g), "; "))
	}
}

func (m *markdown) validity(run Run) {
	m.line()
	if run.Summary.Validity.OK {
		m.line("The measurement is valid.")
	} else {
		m.line("**The measurement is invalid.**")
	}
	m.lastLines(run.Summary.Deaths)
	notes := append(run.Summary.Validity.Notes[:len(run.Summary.Validity.Notes):len(run.Summary.Validity.Notes)], run.Summary.Events...)
	if len(notes) == 0 {
		return
	}
	m.line()
	for i, n := range notes {
		if i == maxNotes {
			m.line(fmt.Sprintf("- … and %d more in %s", len(notes)-i, record.SummaryFile))
			break
		}
		m.line("- ", mark(n))
	}
}

// lastLines writes what lost arms wrote last.
func (m *markdown) lastLines(deaths []record.LostArm) {
	for _, d := range deaths {
		if len(d.Lines) == 0 {
			continue
		}
		m.line()
		m.line("Last lines of ", mark(d.Arm), ":")
		m.line()
		for _, line := range d.Lines {
			m.line("- ", code(figures.Printable(line)))
		}
	}
}

// mark makes a text harmless in Markdown.
func mark(s string) string {
	var b strings.Builder
	for _, r := range figures.Printable(s) {
		switch {
		case strings.ContainsRune("\\|*_`[]<>#~!", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '@' || r == '&' || r == ':':
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), "www.", "www&#46;")
}

// code writes a text as it is to be typed; a backquote in it would end it.
func code(s string) string {
	return "`" + strings.ReplaceAll(figures.Escape(s), "`", "?") + "`"
}
