package report

import (
	"strings"
	"testing"

	"switchback/results/record"
)

func TestSweepsSayHowTheyGrow(t *testing.T) {
	r := scaleRun()
	const want = "time to first byte on average, along n = deployments: legacy grows with n^0.94 (0.93 … 0.96); hashed does not grow: n^0.04 (-0.02 … 0.05)"
	if got := r.Sentences(); len(got) != 1 || got[0] != want {
		t.Errorf("said %q, want %q", got, want)
	}
	r.Summary.Growth[0].Axis = "n\x1b[2J" + strings.Repeat("x", 900)
	if got := r.Sentences()[0]; strings.Contains(got, "\x1b") || len([]rune(got)) > maxSentence {
		t.Errorf("a hostile axis is said as %q", got)
	}
}

func TestGrowthClause(t *testing.T) {
	for want, g := range map[string]record.Growth{
		"grows with n^0.98 (0.96 … 1.00)":        {Exponent: 0.98, Low: 0.96, High: 1},
		"does not grow: n^0.02 (0.00 … 0.04)":    {Exponent: 0.02, Low: -0.001, High: 0.04},
		"falls with n^-0.50 (-0.60 … -0.40)":     {Exponent: -0.5, Low: -0.6, High: -0.4},
		"may grow or not: n^0.15 (-0.30 … 0.60)": {Exponent: 0.15, Low: -0.3, High: 0.6},
	} {
		if got := growthClause(g); got != want {
			t.Errorf("%+v: %q, want %q", g, got, want)
		}
	}
}
