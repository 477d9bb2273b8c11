package ring

import (
	"fmt"
	"strconv"
	"strings"
)

// DefaultMultiple is the number of points per unit of weight when a notation
// names none; v1 has no other.
const DefaultMultiple = 160

// Version is one of the three kinds of ring.
type Version int

// The versions. V1 and V2 are published; V3 answers as V2 does.
const (
	V1 Version = 1 + iota // 8 bytes a point, binary search
	V2                    // 6 bytes a point and a bucket index
	V3                    // about 3.2 bytes a point, two cache misses a look-up
)

// Spec names a ring: its version and its points per unit of weight.
type Spec struct {
	Version  Version
	Multiple int
}

// ParseSpec reads a ring's notation: "v1", "v2:16", "v3:160". A missing
// multiple is DefaultMultiple.
func ParseSpec(text string) (Spec, error) {
	name, digits, hasMultiple := strings.Cut(text, ":")
	spec := Spec{Multiple: DefaultMultiple}
	switch name {
	case "v1":
		spec.Version = V1
	case "v2":
		spec.Version = V2
	case "v3":
		spec.Version = V3
	default:
		return Spec{}, fmt.Errorf("ring %q: want v1, v2:M or v3:M", text)
	}
	if hasMultiple {
		multiple, err := strconv.ParseUint(digits, 10, 31)
		if err != nil {
			return Spec{}, fmt.Errorf("ring %q: multiple %q is not a whole number below 2147483648", text, digits)
		}
		spec.Multiple = int(multiple)
	}
	return spec, spec.Check()
}

// Check reports what makes the spec impossible: an unknown version, a
// multiple below 1, or one other than DefaultMultiple with V1.
func (s Spec) Check() error {
	switch {
	case s.Version < V1 || s.Version > V3:
		return fmt.Errorf("ring version %d: want 1, 2 or 3", s.Version)
	case s.Multiple < 1:
		return fmt.Errorf("ring %s: multiple %d, want 1 or more", s, s.Multiple)
	case s.Version == V1 && s.Multiple != DefaultMultiple:
		return fmt.Errorf("ring v1: multiple %d, but v1 has %d points per unit of weight; v2:%d has %[1]d",
			s.Multiple, DefaultMultiple, s.Multiple)
	}
	return nil
}

// String returns the notation that ParseSpec reads.
func (s Spec) String() string {
	if s.Version == V1 {
		return "v1"
	}
	return fmt.Sprintf("v%d:%d", s.Version, s.Multiple)
}
