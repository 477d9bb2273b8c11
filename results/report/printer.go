package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"switchback/results/report/figures"
)

// ANSI sequences of the styles in use.
const (
	bold  = "1"
	red   = "31"
	green = "32"
	amber = "33"
	faint = "2"
)

// printer writes lines of text; after an error it writes nothing more.
type printer struct {
	w     io.Writer
	width int
	color bool
	err   error
}

func (p *printer) line(parts ...string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(strings.Join(parts, ""), " "))
	}
}

// wrapped writes s in lines that all start with indent columns; the first
// one has head in them.
func (p *printer) wrapped(head, s string, indent int) {
	for _, l := range figures.Wrap(s, p.width-indent) {
		p.line(pad(head, indent), l)
		head = ""
	}
}

// style wraps s in an ANSI style, if colours are on.
func (p *printer) style(code, s string) string {
	if !p.color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// pad fills s with spaces up to width columns, right fills before it.
func pad(s string, width int) string   { return s + blanks(s, width) }
func right(s string, width int) string { return blanks(s, width) + s }

func blanks(s string, width int) string {
	return strings.Repeat(" ", max(width-utf8.RuneCountInString(s), 0))
}
