package figures

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns s with everything that could move a cursor, turn text
// around, stack marks or hide as \x1b or \u202e.
func Escape(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[0])|0x100, 16)[1:])
		case unsafe(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// unsafe reports whether a character may not be printed as it is: controls,
// marks that combine, and letters written from right to left.
func unsafe(r rune) bool {
	return !unicode.IsPrint(r) || unicode.In(r, unicode.M, unicode.Hebrew, unicode.Arabic, unicode.Syriac,
		unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic)
}

// maxText bounds what a report shows of one name or note.
const maxText = 400

// Printable returns s as it may stand in a report: escaped, and not endless.
func Printable(s string) string { return Cut(Escape(s), maxText) }

// Cut shortens s to max columns, in its middle, where names differ least.
func Cut(s string, max int) string {
	runes := []rune(s)
	if len(runes) <= max {
		return s
	}
	head := max * 2 / 3
	return string(runes[:head]) + "…" + string(runes[len(runes)-(max-head-1):])
}

// Wrap breaks s into lines of at most width columns, at spaces where it can;
// a number stays with its unit.
func Wrap(s string, width int) []string {
	var lines []string
	line := []rune(nil)
	for _, word := range words(s) {
		w := []rune(word)
		if len(line) > 0 && len(line)+1+len(w) > width {
			lines, line = append(lines, string(line)), nil
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		for line = append(line, w...); len(line) > width; line = line[width:] {
			lines = append(lines, string(line[:width]))
		}
	}
	if len(line) > 0 {
		lines = append(lines, string(line))
	}
	return lines
}

// words splits s at spaces, but not before a unit.
func words(s string) []string {
	var words []string
	for _, w := range strings.Fields(s) {
		switch strings.TrimRight(w, ",;.:)") {
		case "%", "pt", "s", "ms", "µs", "ns", "B", "KiB", "MiB", "GiB":
			if len(words) > 0 {
				words[len(words)-1] += " " + w
				continue
			}
		}
		words = append(words, w)
	}
	return words
}
