package units

import (
	"math"
	"strings"
	"testing"
)

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]float64{
		"5%": 0.05, "0.1%": 0.001, "0.01": 0.01, "50us": 50e-6, "50µs": 50e-6, "1.5 ms": 1.5e-3, "2s": 2, "1m": 60, "7ns": 7e-9,
		"64MiB": 64 << 20, "1GiB": 1 << 30, "10kB": 10_000, "3B": 3, "1e3": 1000, "1e-3s": 1e-3, "1m30s": 90, "2h": 7200, "1.5TiB": 1.5 * (1 << 40), "1000/s": 1000, "-2": -2, " 4 ": 4,
	} {
		a, err := ParseAmount(text)
		if err != nil || a.Value != want || a.Text != strings.TrimSpace(text) {
			t.Errorf("ParseAmount(%q) = %+v, %v; want %v", text, a, err, want)
		}
	}
	for _, text := range []string{"", "%", "five", "5 apples", "NaN", "Inf", "1e999", "0x10", "1_000", "5%%", "1m30", "/s", "0x1p-2s", strings.Repeat("1", 60)} {
		if a, err := ParseAmount(text); err == nil {
			t.Errorf("ParseAmount(%q) = %+v, want an error", text, a)
		}
	}
}

func FuzzParseAmount(f *testing.F) {
	for _, text := range []string{"5%", "50us", "64MiB", "-1e3 s", "µ", "\xffs"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAmount(text)
		if err != nil {
			return
		}
		if math.IsNaN(a.Value) || math.IsInf(a.Value, 0) {
			t.Fatalf("ParseAmount(%q) = %v", text, a.Value)
		}
		written, err := a.MarshalText()
		var back Amount
		if err != nil || back.UnmarshalText(written) != nil || back != a {
			t.Fatalf("%q reads as %+v, is written %q and read as %+v", text, a, written, back)
		}
	})
}

// TestAmountsFitTheirKind: a number without a unit is one of every kind.
func TestAmountsFitTheirKind(t *testing.T) {
	for text, kind := range map[string]Kind{"5%": Part, "50us": Time, "1m30s": Time, "64MiB": Size, "1000/s": PerTime} {
		a, err := ParseAmount(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []Kind{Plain, Time, Size, PerTime, Part} {
			if a.Is(k) != (k == kind) {
				t.Errorf("%s is %q: %v", text, k, a.Is(k))
			}
		}
	}
	if a := (Amount{Value: 1000, Text: "1000"}); !a.Is(PerTime) || !a.Is(Size) {
		t.Error("a number without a unit is not one of every kind")
	}
}
