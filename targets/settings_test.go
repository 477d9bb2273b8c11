package targets

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSharesAreReadExactly(t *testing.T) {
	for text, want := range map[string]uint64{"": 0, "0%": 0, "5%": 50_000, "90.9%": 909_000, "0.0001%": 1, "100%": million} {
		if got, err := parseShare(text); got != want || err != nil {
			t.Errorf("parseShare(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"5", "%", "-5%", "+5%", "101%", "5.00001%", "1e1%", "0.05", "5 %", "1000%", ".5%"} {
		if got, err := parseShare(text); err == nil {
			t.Errorf("parseShare(%q) = %d, want an error", text, got)
		}
	}
}

func TestSettingsOutOfBoundsAreRefused(t *testing.T) {
	for want, s := range map[string]Settings{
		`model: "page"`:            {Model: "page"},
		"popularity: the model":    {Model: ModelUniform, Popularity: 1},
		"popularity: -1":           {Popularity: -1},
		"popularity: 5":            {Popularity: 5},
		"popularity: NaN":          {Popularity: math.NaN()},
		"assets: -1":               {Assets: -1},
		"assets: 1001":             {Assets: 1001},
		"unknown: a share":         {Unknown: "5%", PerBlock: map[string]int{"tail": 1}},
		`unknown: "much"`:          {Unknown: "much"},
		`per_block: "ten"`:         {PerBlock: map[string]int{"ten": 1}},
		`per_block: "010"`:         {PerBlock: map[string]int{"010": 1}},
		`per_block: "0"`:           {PerBlock: map[string]int{"0": 1}},
		`per_block: "10/"`:         {PerBlock: map[string]int{"10/": 1}},
		`per_block: "10/none"`:     {PerBlock: map[string]int{"10/none": 1}},
		`per_block: "unknown/tail`: {PerBlock: map[string]int{"unknown/tail": 1}},
		"per_block: 10: -1":        {PerBlock: map[string]int{"10": -1}},
		"per_block: 0 requests":    {PerBlock: map[string]int{"10": 0}},
		"per_block: 10000001 req":  {PerBlock: map[string]int{"10": 10_000_000, "20": 1}},
	} {
		if err := s.WithDefaults().Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: error %v, want %s", s, err, want)
		}
	}
}

func TestDefaults(t *testing.T) {
	if got := (Settings{}).WithDefaults(); got.Model != ModelPages || got.Popularity != 0.9 || got.Unknown != "5%" {
		t.Errorf("defaults: %+v", got)
	}
	counted := Settings{PerBlock: map[string]int{"10": 3, "unknown": 4}}.WithDefaults()
	if counted.Unknown != "" || counted.Arrivals() != 7 || counted.Check() != nil {
		t.Errorf("defaults with per_block: %+v, %d arrivals, %v", counted, counted.Arrivals(), counted.Check())
	}
}

// Hamilton's method: every part is its quota, rounded down or up.
func TestApportionedPartsAreQuotasRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1000).Draw(t, "n")
		weights := rapid.SliceOfN(rapid.IntRange(0, 50), 1, 8).Draw(t, "weights")
		total := sum(weights)
		parts := apportioned(n, weights)
		if total == 0 {
			if sum(parts) != 0 {
				t.Fatalf("no weights, parts %v", parts)
			}
			return
		}
		if sum(parts) != n {
			t.Fatalf("parts %v of %d by %v", parts, n, weights)
		}
		for i, part := range parts {
			if low := n * weights[i] / total; part < low || part > low+1 || (n*weights[i]%total == 0 && part != low) {
				t.Fatalf("parts %v of %d by %v", parts, n, weights)
			}
		}
	})
}
