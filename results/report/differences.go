package report

import (
	"fmt"
	"strings"

	"switchback/results/record"
	"switchback/results/units"
)

// differencesListed bounds the answers that a text lists.
const differencesListed = 10

// differences lists requests that the arms answered differently, each with
// what every arm answered.
func (r Run) differences() []string {
	var lines []string
	for i, d := range r.Differences {
		if i == differencesListed {
			return append(lines, fmt.Sprintf("%d more are in %s", len(r.Differences)-i, record.DifferencesFile))
		}
		var answers []string
		for _, arm := range r.Summary.Arms {
			if a, ok := d.Arms[arm]; ok {
				answers = append(answers, fmt.Sprintf("%s %d, %s, body %08x", arm, a.Status, units.InBytes(float64(a.Bytes)), a.BodyHash))
			}
		}
		lines = append(lines, fmt.Sprintf("%s%s, pair %d: %s", d.Host, d.Path, d.Pair+1, strings.Join(answers, "; ")))
	}
	return lines
}

// differing lists them under a heading, if there are any.
func (p *printer) differing(run Run) {
	if lines := run.differences(); lines != nil {
		p.line()
		p.line("answers that differ")
		p.list(lines)
	}
}

// differing lists them, if there are any.
func (m *markdown) differing(run Run) {
	lines := run.differences()
	if lines == nil {
		return
	}
	m.line()
	m.line("Answers that differ:")
	m.line()
	for _, line := range lines {
		m.line("- ", mark(line))
	}
}
