package report

import (
	"regexp"
	"strings"
	"testing"
)

func markdownOf(t *testing.T, run Run) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdownGolden(t *testing.T) {
	for name, run := range map[string]Run{"routing.md": routingRun(), "aa.md": sameRun(), "invalid.md": invalidRun(), "hostile.md": hostileRun(), "sweep.md": sweepRun(), "single.md": singleRun()} {
		t.Run(name, func(t *testing.T) { golden(t, name, markdownOf(t, run)) })
	}
}

// TestMarkdownIsHarmless checks that names become no link, mention, HTML or
// cell.
func TestMarkdownIsHarmless(t *testing.T) {
	run := routingRun()
	evil := "<img src=x> [a](http://evil) @everyone | ` https://evil www.evil.com *b* _c_ ~d~ #1 ![x](y) \u202e"
	run.Summary.Experiment, run.Summary.Validity.Notes = evil, []string{evil}
	text := markdownOf(t, run)
	// What is escaped can't harm.
	plain := regexp.MustCompile(`\\[[:punct:]]`).ReplaceAllString(text, "")
	for _, bad := range []string{"<", "[", "@", "https:", "www.", "*b", "_", "~", "#1", "\u202e"} {
		if strings.Contains(plain, bad) {
			t.Errorf("%q reached the text", bad)
		}
	}
	for i, line := range strings.Split(text, "\n") {
		if cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); strings.HasPrefix(line, "|") && cells != 7 && cells != 4 {
			t.Errorf("line %d has %d cell borders: %s", i+1, cells, line)
		}
	}
}
