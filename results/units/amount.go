package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Amount is a number with the unit it was written in: 5%, 50us, 64MiB, 100/s,
// 0.01. Value is in base units: seconds, bytes, shares, a second.
type Amount struct {
	Value float64
	Text  string
}

// maxAmountText bounds what ParseAmount reads.
const maxAmountText = 40

// ParseAmount reads a number with an optional unit of time, bytes, shares or
// rates. It refuses infinite and non-numeric values.
func ParseAmount(text string) (Amount, error) {
	t := strings.TrimSpace(text)
	number, u := cut(t)
	v, err := u.times(number)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || len(t) > maxAmountText || strings.ContainsAny(number, "xXpP_") {
		return Amount{}, fmt.Errorf("amount %.40q: want a number with a unit, such as 5%%, 50us, 64MiB or 0.01", text)
	}
	return Amount{Value: v, Text: t}, nil
}

// String returns the amount as it was written, or its value.
func (a Amount) String() string {
	if a.Text != "" {
		return a.Text
	}
	return strconv.FormatFloat(a.Value, 'g', -1, 64)
}

// Is reports whether the amount is one of the kind: a number without a unit is
// one of every kind.
func (a Amount) Is(kind Kind) bool {
	_, u := cut(a.Text)
	return u.kind == Plain || u.kind == kind
}

// Bare reports whether the amount was written without a unit.
func (a Amount) Bare() bool {
	_, u := cut(a.Text)
	return u.kind == Plain
}

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
