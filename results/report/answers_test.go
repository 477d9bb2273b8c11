package report

import (
	"strings"
	"testing"

	"switchback/results/record"
)

// Redirects that count as right are named first, above 1 % of an arm's
// answers; status codes stand at the head of text and Markdown.
func TestRedirectsAreNamedFirst(t *testing.T) {
	run := routingRun()
	run.Summary.Codes = map[string]record.Codes{"legacy": {"200": 9880, "301": 120}, "hashed": {"200": 9900, "308": 100}}
	run.Summary.Redirects = map[string]int{"legacy": 120, "hashed": 100}
	said := run.Sentences()
	if want := "1.20 % of the answers of legacy are redirects, which count as right (status codes: 301 120)"; len(said) != 2 || said[0] != want {
		t.Errorf("sentences %q, first of two must be %q", said, want)
	}
	var page strings.Builder
	if err := Markdown(&page, run); err != nil {
		t.Fatal(err)
	}
	want := "legacy 200 9880, 301 120; hashed 200 9900, 308 100"
	if got := text(t, run, TextOptions{}); !strings.Contains(got, "status codes: "+want) {
		t.Errorf("no status codes in %s", got)
	}
	if !strings.Contains(page.String(), "Status codes: "+want) {
		t.Errorf("no status codes in %s", page.String())
	}
}

func TestHostileCodesStayText(t *testing.T) {
	run := routingRun()
	run.Summary.Codes = map[string]record.Codes{"legacy": {"3\x1b[2J": 100, "": 1}}
	run.Summary.Redirects = map[string]int{"legacy": 100}
	if got := text(t, run, TextOptions{}); strings.Contains(got, "\x1b") {
		t.Errorf("an escape sequence in %q", got)
	}
}
