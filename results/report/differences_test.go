package report

import (
	"fmt"
	"strings"
	"testing"

	"switchback/results/record"
)

// The spellings of hostnames on which arms differ are named, without what
// moves a cursor or makes Markdown, and no more of them than a reader reads.
func TestDifferencesAreNamed(t *testing.T) {
	run := gatesRun()
	base, arm := run.Summary.Baseline, run.Candidates()[0]
	for i := range 12 {
		run.Differences = append(run.Differences, record.Difference{Pair: i, Host: fmt.Sprintf("H%d.EXAMPLE.test\x1b[31m", i), Path: "/",
			Arms: map[string]record.Answer{base: {Status: 200, Bytes: 2048, BodyHash: 1}, arm: {Status: 404}}})
	}
	said := text(t, run, TextOptions{})
	markdown := &strings.Builder{}
	if err := Markdown(markdown, run); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"text": said, "Markdown": markdown.String()} {
		for _, want := range []string{"nswers that differ", "H9.EXAMPLE.test", base + " 200", arm + " 404", "2 more are in"} {
			if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, got)
			}
		}
		if strings.Contains(got, "H10.") || strings.Contains(got, "\x1b") {
			t.Errorf("%s has too much:\n%s", name, got)
		}
	}
}
