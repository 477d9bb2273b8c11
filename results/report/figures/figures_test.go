package figures

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"switchback/results/record"
)

func inf() float64 { return math.Inf(1) }

func TestChange(t *testing.T) {
	for name, c := range map[string]struct {
		metric, unit string
		c            record.Change
		want, span   string
		sense        Sense
	}{
		"faster":            {"ttfb.p50", "s", change(0.9, 0.88, 0.93), "-10.0 %", "-12.0 … -7.00 %", Better},
		"slower":            {"ttfb.p50", "s", change(1.1, 1.01, 1.2), "+10.0 %", "+1.00 … +20.0 %", Worse},
		"many times faster": {"ttfb.p50", "s", change(0.0078, 0.0071, 0.0085), "÷128", "÷141 … ÷118", Better},
		"times slower":      {"ttfb.p50", "s", change(3.2, 0.9, 4), "~", "÷1.11 … ×4.00", Same},
		"the same":          {"ttfb.p50", "s", change(1, 0.99, 1.01), "~", "-1.00 … +1.00 %", Same},
		"touching":          {"ttfb.p50", "s", change(1.01, 1, 1.02), "~", "0 … +2.00 %", Same},
		"too few pairs":     {"ttfb.p50", "s", change(0.5, 0, inf()), "", "too few pairs", Unjudged},
		"one end":           {"ttfb.p50", "s", change(0.9, 0, 0.95), "-10.0 %", "? … -5.00 %", Better},
		"more hits":         {"kv.lru.hit_ratio", "ratio", diff(0.07, 0.06, 0.08), "+7.00 pt", "+6.00 … +8.00 pt", Better},
		"fewer hits":        {"kv.lru.hit_ratio", "ratio", diff(-0.07, -0.08, -0.06), "-7.00 pt", "-8.00 … -6.00 pt", Worse},
		"more origin":       {"origin.requests", "1/1000", diff(12, 10, 14.5), "+12.0", "+10.0 … +14.5", Worse},
		"no errors":         {"errors.ratio", "ratio", diff(0, 0, 0), "~", "0 … 0 pt", Same},
		"few differences":   {"errors.ratio", "ratio", diff(0, -inf(), inf()), "", "too few pairs", Unjudged},
		"unknown metric":    {"nonsense", "", change(2, 1.9, 2.1), "", "×1.90 … ×2.10", Unjudged},
	} {
		if got := Judge(c.metric, c.c); got != c.sense {
			t.Errorf("%s: judged %v, want %v", name, got, c.sense)
		}
		if got := Change(c.metric, c.unit, c.c); got != c.want {
			t.Errorf("%s: change %q, want %q", name, got, c.want)
		}
		if got := Interval(c.unit, c.c); got != c.span {
			t.Errorf("%s: interval %q, want %q", name, got, c.span)
		}
	}
}

// TestPrintableIsSafe: whatever a name holds, what is printed has no control,
// no mark, no change of direction, and a bounded length.
func TestPrintableIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		got := Printable(in)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxText {
			t.Fatalf("Printable(%q) = %q", in, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.M, unicode.Arabic, unicode.Hebrew) {
				t.Fatalf("Printable(%q) = %q holds %U", in, got, r)
			}
		}
	})
}

func TestPrintableKeepsWhatIsSafe(t *testing.T) {
	for in, want := range map[string]string{
		"12 µs … ÷128 · überall": "12 µs … ÷128 · überall",
		"a\x1b[2Jb":              `a\x1b[2Jb`,
		"a\nb":                   `a\nb`,
		"\xff":                   `\xff`,
		"exe\u202etxt":           `exe\u202etxt`,
		"a\u0301":                `a\u0301`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestWrap: no line is too long, and no word is lost.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`[a-z %]{0,200}`).Draw(t, "text")
		width := rapid.IntRange(5, 80).Draw(t, "width")
		lines := Wrap(in, width)
		for _, l := range lines {
			if utf8.RuneCountInString(l) > width {
				t.Fatalf("line %q is longer than %d", l, width)
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got := squeeze(strings.Join(lines, " ")); got != squeeze(in) {
			t.Fatalf("Wrap(%q, %d) lost text: %q", in, width, lines)
		}
	})
}

func TestWrapKeepsUnits(t *testing.T) {
	if got := strings.Join(Wrap("worst block 0.5 %, now", 15), "|"); got != "worst block|0.5 %, now" {
		t.Errorf("wrapped as %q", got)
	}
}

func change(ratio, low, high float64) record.Change {
	return record.Change{Ratio: ratio, Low: low, High: high, P: 0.0005}
}

func diff(diff, low, high float64) record.Change {
	return record.Change{Diff: diff, Low: low, High: high, IsDiff: true, P: 0.5}
}
