package gate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Amount is a number with the unit it was written in: 5%, 50us, 64MiB, 0.01.
// Value is in base units: seconds, bytes, shares.
type Amount struct {
	Value float64
	Text  string
}

// unit is a suffix of an amount: what it multiplies by and what it measures.
type unit struct {
	suffix   string
	factor   float64
	quantity string
}

// units, longest suffix first where one ends in another.
func units() []unit {
	return []unit{
		{"%", 0.01, "share"},
		{"KiB", 1 << 10, "bytes"}, {"MiB", 1 << 20, "bytes"}, {"GiB", 1 << 30, "bytes"},
		{"kB", 1e3, "bytes"}, {"MB", 1e6, "bytes"}, {"GB", 1e9, "bytes"}, {"B", 1, "bytes"},
		{"ns", 1e-9, "time"}, {"us", 1e-6, "time"}, {"µs", 1e-6, "time"}, {"μs", 1e-6, "time"},
		{"ms", 1e-3, "time"}, {"s", 1, "time"}, {"m", 60, "time"},
	}
}

// maxAmountText bounds what ParseAmount reads.
const maxAmountText = 40

// ParseAmount reads a number with an optional unit: %, ns, us, ms, s, m, B,
// kB, KiB, MB, MiB, GB or GiB. It refuses infinite and non-numeric values.
func ParseAmount(text string) (Amount, error) {
	t := strings.TrimSpace(text)
	if t == "" || len(t) > maxAmountText {
		return Amount{}, fmt.Errorf("amount %.40q: want a number with a unit, such as 5%%, 50us, 64MiB or 0.01", text)
	}
	u := unitOf(t)
	number := strings.TrimSpace(strings.TrimSuffix(t, u.suffix))
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || strings.ContainsAny(number, "xXpP_") {
		return Amount{}, fmt.Errorf("amount %q: want a number with a unit, such as 5%%, 50us, 64MiB or 0.01", text)
	}
	if u.factor < 1 { // divide by the exact power of ten: 50us is 50/1e6, not 50·1e-6
		return Amount{Value: v / math.Round(1/u.factor), Text: t}, nil
	}
	return Amount{Value: v * u.factor, Text: t}, nil
}

func unitOf(text string) unit {
	for _, u := range units() {
		if strings.HasSuffix(text, u.suffix) {
			return u
		}
	}
	return unit{factor: 1}
}

// String returns the amount as it was written, or its value.
func (a Amount) String() string {
	if a.Text != "" {
		return a.Text
	}
	return strconv.FormatFloat(a.Value, 'g', -1, 64)
}

// quantity returns share, bytes, time, or "" for a plain number.
func (a Amount) quantity() string { return unitOf(a.Text).quantity }

// MarshalText returns the amount as it was written.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads an amount; see ParseAmount.
func (a *Amount) UnmarshalText(text []byte) error {
	parsed, err := ParseAmount(string(text))
	if err != nil {
		return err
	}
	*a = parsed
	return nil
}
