package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration, Bytes, Rate and Share are the scalars with units of files and
// flags.
type (
	Duration time.Duration // 3.4s
	Bytes    int64         // 64MiB
	Rate     float64       // 150/s or 150, in requests per second
	Share    float64       // 0.1%, which is 0.001
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

// UnmarshalText reads a size such as 64MiB; the number may have a fraction.
func (b *Bytes) UnmarshalText(text []byte) error {
	v, err := scalar(text, Size)
	if err != nil || v > 1<<53 {
		return fmt.Errorf("expected a size with its unit, such as 64MiB, got %q", text)
	}
	*b = Bytes(math.Round(v))
	return nil
}

// MarshalText writes the size as UnmarshalText reads it.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String returns the size in the largest binary unit that divides it.
func (b Bytes) String() string {
	for _, u := range table()[:4] {
		if b != 0 && int64(b)%int64(u.factor) == 0 {
			return strconv.FormatInt(int64(b)/int64(u.factor), 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(b), 10) + "B"
}

// UnmarshalText reads a rate such as 150/s or 150.
func (r *Rate) UnmarshalText(text []byte) error {
	v, err := scalar(text, PerTime, Plain)
	if err != nil {
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
func (s *Share) UnmarshalText(text []byte) error {
	v, err := scalar(text, Part)
	if err != nil {
		return fmt.Errorf("expected a share in percent, such as 0.1%%, got %q", text)
	}
	*s = Share(v)
	return nil
}

// MarshalText writes the share as UnmarshalText reads it.
func (s Share) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String returns the share in percent, exactly: it reads back as the same float.
func (s Share) String() string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(float64(s), 'f', -1, 64), ".")
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

// scalar reads a plain decimal number with a unit of one of the kinds.
func scalar(text []byte, kinds ...Kind) (float64, error) {
	number, u := cut(string(text))
	if _, err := ParseNumber(number); err != nil {
		return 0, err
	}
	for _, k := range kinds {
		if u.kind == k {
			return u.times(number)
		}
	}
	return 0, fmt.Errorf("unit %q is not one of a %s", u.suffix, kinds[0])
}
