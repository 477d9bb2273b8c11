package gate

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"switchback/results/record"
)

// Explain writes the verdict for a person: what was compared, whether the
// measurement can be believed, and for each gate its bounds, margin, p, what
// could have been seen, and when it is undecided how many pairs would decide.
func Explain(w io.Writer, s record.Summary) error {
	out := &bytes.Buffer{}
	var candidates []string
	for _, arm := range s.Arms {
		if arm != s.Baseline {
			candidates = append(candidates, arm)
		}
	}
	what := s.Baseline
	if len(candidates) > 0 {
		what = strings.Join(candidates, ", ") + " against " + s.Baseline
	}
	fmt.Fprintf(out, "%s: %s, %s, %s, %s, %s\n", s.Experiment, what,
		count(s.Pairs, "pair"), count(s.Launches, "launch"), count(s.Requests, "request"), count(s.Errors, "error"))
	explainValidity(out, s.Validity)
	for _, e := range s.Events {
		fmt.Fprintf(out, "  event: %s\n", e)
	}
	for _, g := range s.Gates {
		fmt.Fprintf(out, "\n%s  %s\n", strings.ToUpper(g.Verdict), Title(g))
		for _, line := range Grounds(g) {
			fmt.Fprintf(out, "  %s\n", line)
		}
		if advice := Advice(g); advice != "" {
			fmt.Fprintf(out, "  %s\n", advice)
		}
	}
	fmt.Fprintf(out, "\nverdict: %s\n", s.Verdict)
	_, err := w.Write(printable(out.Bytes()))
	return err
}

// printable replaces what could move a terminal's cursor: names and notes may
// come from a server.
func printable(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}

func explainValidity(out io.Writer, v record.Validity) {
	state := "valid"
	if !v.OK {
		state = "NOT VALID"
	}
	fmt.Fprintf(out, "measurement: %s\n", state)
	for _, n := range v.Notes {
		fmt.Fprintf(out, "  note: %s\n", n)
	}
}

// count writes a number with its noun: 1 pair, 12,240 requests.
func count(n int, noun string) string {
	if n != 1 && strings.HasSuffix(noun, "ch") {
		noun += "es"
	} else if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
