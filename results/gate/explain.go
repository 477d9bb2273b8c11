package gate

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"switchback/results/record"
	"switchback/results/units"
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
		units.Count(s.Pairs, "pair"), units.Count(s.Launches, "launch"), units.Count(s.Requests, "request"), units.Count(s.Errors, "error"))
	if answers := s.Answers(); answers != "" {
		fmt.Fprintf(out, "status codes: %s\n", answers)
	}
	explainValidity(out, s.Validity)
	for _, e := range s.Events {
		fmt.Fprintf(out, "  event: %s\n", e)
	}
	for _, d := range s.Deaths {
		for _, line := range d.Lines {
			fmt.Fprintf(out, "  %s wrote: %s\n", d.Arm, line)
		}
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
