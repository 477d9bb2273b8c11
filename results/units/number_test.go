package units

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{0, "s", "0 s"},
		{1.2e-9, "s", "1.20 ns"},
		{412e-6, "s/request", "412 µs"},
		{999.6e-6, "s", "1.00 ms"},
		{0.0171, "s", "17.1 ms"},
		{0.9996, "s", "1.00 s"},
		{61.2, "s", "61.2 s"},
		{999, "bytes", "999 B"},
		{999.7, "bytes", "0.98 KiB"},
		{1000, "bytes", "0.98 KiB"},
		{64 << 20, "bytes", "64.0 MiB"},
		{0.9214, "ratio", "92.1 %"},
		{0.00001, "ratio", "0.001 %"},
		{131.24, "1/1000", "131"},
		{12240, "count", "12,240"},
		{-1234567, "count", "-1,234,567"},
		{1e18, "count", "1e+18"},
		{math.NaN(), "s", "? s"},
	} {
		if got := Number(c.v, c.unit); got != c.want {
			t.Errorf("Number(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestUnitsOfMetricsHaveAKind(t *testing.T) {
	for unit, want := range map[string]struct {
		kind Kind
		per  string
	}{
		"s": {Time, ""}, "s/request": {Time, " a request"}, "bytes": {Size, ""}, "bytes/request": {Size, " a request"},
		"ratio": {Part, ""}, "1/1000": {Plain, " per 1,000"}, "1/s": {PerTime, "/s"}, "count": {Plain, ""},
	} {
		if KindOf(unit) != want.kind || Per(unit) != want.per {
			t.Errorf("%s is %q per %q, want %v", unit, KindOf(unit), Per(unit), want)
		}
	}
}
