package units

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind is what a unit measures.
type Kind string

// The kinds of quantities. A Plain number has no unit.
const (
	Plain   Kind = ""
	Time    Kind = "time"
	Size    Kind = "bytes"
	PerTime Kind = "rate"
	Part    Kind = "share"
)

// unit is a suffix of a quantity.
type unit struct {
	suffix   string
	factor   float64 // what it multiplies by
	exponent string  // the factor in a number's text, where it is a power of ten below 1
	kind     Kind
}

// table returns the units, those of bytes from the largest to the smallest, and
// before them and after them so that no suffix is the end of a later one.
func table() []unit {
	return []unit{
		{suffix: "TiB", factor: 1 << 40, kind: Size}, {suffix: "GiB", factor: 1 << 30, kind: Size},
		{suffix: "MiB", factor: 1 << 20, kind: Size}, {suffix: "KiB", factor: 1 << 10, kind: Size},
		{suffix: "TB", factor: 1e12, kind: Size}, {suffix: "GB", factor: 1e9, kind: Size},
		{suffix: "MB", factor: 1e6, kind: Size}, {suffix: "kB", factor: 1e3, kind: Size}, {suffix: "B", factor: 1, kind: Size},
		{"%", 1e-2, "e-2", Part}, {suffix: "/s", factor: 1, kind: PerTime},
		{"ns", 1e-9, "e-9", Time}, {"us", 1e-6, "e-6", Time}, {"µs", 1e-6, "e-6", Time}, {"μs", 1e-6, "e-6", Time}, {"ms", 1e-3, "e-3", Time},
		{suffix: "s", factor: 1, kind: Time}, {suffix: "m", factor: 60, kind: Time}, {suffix: "h", factor: 3600, kind: Time},
	}
}

// cut splits a quantity into its number and its unit.
func cut(text string) (number string, u unit) {
	for _, u := range table() {
		if number, ok := strings.CutSuffix(text, u.suffix); ok {
			return strings.TrimSpace(number), u
		}
	}
	return text, unit{factor: 1}
}

// times returns the number in base units. A factor below 1 is written into the
// number's text, so that 0.1% is the float nearest to 0.001.
func (u unit) times(number string) (float64, error) {
	switch {
	case u.exponent != "" && !strings.ContainsAny(number, "eE"):
		return strconv.ParseFloat(number+u.exponent, 64)
	case u.kind == Time && strings.ContainsAny(number, "hms"): // 1m30s
		d, err := time.ParseDuration(number + u.suffix)
		return d.Seconds(), err
	}
	v, err := strconv.ParseFloat(number, 64)
	return v * u.factor, err
}

// ParseNumber reads a plain decimal number: no sign, no exponent, no
// hexadecimal, no infinity, and digits on both sides of a point.
func ParseNumber(text string) (float64, error) {
	if text == "" || strings.Trim(text, "0123456789.") != "" || text[0] == '.' || text[len(text)-1] == '.' {
		return 0, fmt.Errorf("expected a number, got %q", text)
	}
	return strconv.ParseFloat(text, 64)
}
