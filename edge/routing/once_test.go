package routing

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// TestMatchOnceIsMatch compares matchOnce with package regexp, for
// expressions of every operator and hosts that are likely to match.
func TestMatchOnceIsMatch(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a", "b", ".", `\.`, "^", "$", "|", "(", "(?:", "(?i)", "(?m)", ")", "*", "+", "?", "{2}", "[ab|(]", `\Q`, `\E`, `\b`, "\n", `\`,
	})
	rapid.Check(t, func(t *rapid.T) {
		expression := "^"
		for _, p := range rapid.SliceOfN(piece, 1, 8).Draw(t, "pieces") {
			expression += p
		}
		host := rapid.StringMatching("[ab.|{2}\n]{0,5}").Draw(t, "host")
		checkOnce(t, expression, host)
	})
}

// checkOnce fails unless matchOnce answers as package regexp does.
func checkOnce(t rapid.TB, expression, host string) {
	want, wantErr := regexp.MatchString(expression, host)
	got, err := matchOnce(expression, host)
	if got != want || (err == nil) != (wantErr == nil) {
		t.Fatalf("%q, %q: got %v, %v; want %v, %v", expression, host, got, err, want, wantErr)
	}
}

func FuzzMatchOnce(f *testing.F) {
	f.Add(`^(?:a|b)\.example$`, "b.example")
	f.Add(`^a|b`, "xb")
	f.Add(`^{2}a`, "{2}a")
	f.Add(`^\Qa|b`, "a|b")
	f.Add("^(?m)^b$", "a\nb")
	f.Fuzz(func(t *testing.T, expression, host string) { checkOnce(t, expression, host) })
}

func TestAnchorsOfTablesAreTakenOff(t *testing.T) {
	for _, expression := range []string{
		`2b469e16\.example\.pages\.dev$`,
		`(?:2b469e16|main)\.example\.pages\.dev$`,
		`(?:(?:2b469e16|main)\.example\.pages\.dev|example\.pages\.dev|www\.example\.test)$`,
	} {
		if got, ok := withoutAnchor("^" + expression); !ok || got != expression {
			t.Errorf("^%s: got %q, %v", expression, got, ok)
		}
	}
}
