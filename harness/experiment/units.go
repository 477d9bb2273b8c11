package experiment

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration, Bytes, Rate and Percent are scalars with units.
type (
	Duration time.Duration // 3.4s
	Bytes    int64         // 64MiB
	Rate     float64       // 150/s, in requests per second
	Percent  float64       // 0.1%, as a share: 0.001
)

// UnmarshalText reads a duration such as 3.4s, 20ms or 1m30s.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("expected a duration with its unit, such as 3.4s or 20ms, got %q", text)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes the duration as UnmarshalText reads it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String returns the duration as time.Duration does.
func (d Duration) String() string { return time.Duration(d).String() }

// byteUnits are the units of Bytes, longest suffix first where one ends with another.
var byteUnits = [...]struct {
	suffix string
	bytes  int64
}{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1},
}

// UnmarshalText reads a size such as 64MiB; the number may have a fraction.
func (b *Bytes) UnmarshalText(text []byte) error {
	for _, u := range byteUnits {
		number, ok := strings.CutSuffix(string(text), u.suffix)
		if !ok {
			continue
		}
		v, err := decimal(strings.TrimSpace(number))
		if err != nil || v*float64(u.bytes) > 1<<53 {
			break
		}
		*b = Bytes(math.Round(v * float64(u.bytes)))
		return nil
	}
	return fmt.Errorf("expected a size with its unit, such as 64MiB, got %q", text)
}

// MarshalText writes the size as UnmarshalText reads it.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String returns the size in the largest binary unit that divides it.
func (b Bytes) String() string {
	for _, u := range byteUnits[:4] {
		if b != 0 && int64(b)%u.bytes == 0 {
			return strconv.FormatInt(int64(b)/u.bytes, 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(b), 10) + "B"
}

// UnmarshalText reads a rate such as 150/s.
func (r *Rate) UnmarshalText(text []byte) error {
	number, ok := strings.CutSuffix(string(text), "/s")
	v, err := decimal(strings.TrimSpace(number))
	if !ok || err != nil {
		return fmt.Errorf("expected a rate in requests per second, such as 150/s, got %q", text)
	}
	*r = Rate(v)
	return nil
}

// MarshalText writes the rate as UnmarshalText reads it.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// String returns the rate with its unit.
func (r Rate) String() string { return strconv.FormatFloat(float64(r), 'f', -1, 64) + "/s" }

// UnmarshalText reads a share such as 0.1%.
func (p *Percent) UnmarshalText(text []byte) error {
	number, ok := strings.CutSuffix(string(text), "%")
	number = strings.TrimSpace(number)
	if _, err := decimal(number); !ok || err != nil {
		return fmt.Errorf("expected a share in percent, such as 0.1%%, got %q", text)
	}
	// The decimal point is moved in the text, so that 0.1% is the float nearest to 0.001.
	v, err := strconv.ParseFloat(number+"e-2", 64)
	*p = Percent(v)
	return err
}

// MarshalText writes the share as UnmarshalText reads it.
func (p Percent) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// String returns the share in percent, exactly: it reads back as the same float.
func (p Percent) String() string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(float64(p), 'f', -1, 64), ".")
	for len(fraction) < 2 {
		fraction += "0"
	}
	sign, digits := "", whole+fraction[:2]
	if d, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", d
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		digits = "0"
	}
	if fraction = fraction[2:]; fraction != "" {
		digits += "." + fraction
	}
	return sign + digits + "%"
}

// decimal reads a plain decimal number: no exponent, no hexadecimal, no
// infinity, and digits on both sides of a point.
func decimal(text string) (float64, error) {
	if text == "" || strings.Trim(text, "0123456789.") != "" || text[0] == '.' || text[len(text)-1] == '.' {
		return 0, fmt.Errorf("expected a number, got %q", text)
	}
	return strconv.ParseFloat(text, 64)
}
