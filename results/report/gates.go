package report

import (
	"switchback/results/gate"
	"switchback/results/record"
	"switchback/results/report/figures"
)

// gateIndent is the column at which the text of a gate starts.
const gateIndent = 16

// gates writes each gate: its verdict, what was compared, what the verdict
// rests on, and what to do when it is open.
func (p *printer) gates(gates []record.Gate) {
	if len(gates) == 0 {
		return
	}
	p.line()
	p.line(p.style(bold, "gates"))
	for _, g := range gates {
		verdict := figures.Cut(figures.Escape(g.Verdict), gateIndent-3)
		for _, l := range figures.Wrap(figures.Printable(gate.Title(g)), p.width-gateIndent) {
			p.line("  ", p.style(verdictStyle(g.Verdict), verdict), blanks(verdict, gateIndent-2), l)
			verdict = ""
		}
		for _, l := range append(gate.Grounds(g), gate.Advice(g)) {
			p.wrapped("", figures.Printable(l), gateIndent)
		}
	}
}
