package record

import (
	"errors"
	"fmt"
	"strconv"
)

// Limits of a Server-Timing header; a longer one is refused.
const (
	maxTimingBytes   = 4096
	maxTimingEntries = 32
)

// ErrServerTiming means that a Server-Timing header was not well formed.
var ErrServerTiming = errors.New("malformed Server-Timing")

// Timing is one entry of a Server-Timing header. Name and Desc are parts of
// the header's bytes, unless the description held escapes.
type Timing struct {
	Name  []byte
	Desc  []byte
	Nanos int64 // of dur
	Timed bool  // dur was given
}

// ParseServerTiming appends the entries of a header's value to dst. The
// grammar is that of the W3C's Server Timing: entries separated by commas,
// each a token with parameters; the first of equal parameters counts, unknown
// ones are skipped. Anything else is an error that wraps ErrServerTiming, and
// the entries before it are kept.
func ParseServerTiming(dst []Timing, header []byte) ([]Timing, error) {
	if len(header) > maxTimingBytes {
		return dst, fmt.Errorf("%w: %d bytes, at most %d", ErrServerTiming, len(header), maxTimingBytes)
	}
	s := scanner{in: header}
	for n := 0; ; n++ {
		// RFC 9110 §5.6.1: empty list elements are allowed.
		for s.space(); s.take(','); s.space() {
		}
		if s.done() {
			return dst, nil
		}
		if n == maxTimingEntries {
			return dst, fmt.Errorf("%w: more than %d entries", ErrServerTiming, maxTimingEntries)
		}
		entry, err := s.entry()
		if err != nil {
			return dst, err
		}
		dst = append(dst, entry)
	}
}

// entry reads one entry up to the comma that ends it.
func (s *scanner) entry() (Timing, error) {
	t := Timing{Name: s.token()}
	if len(t.Name) == 0 {
		return t, s.expected("a name")
	}
	described := false
	for s.space(); s.take(';'); s.space() {
		s.space()
		name := s.token()
		if len(name) == 0 {
			return t, s.expected("a parameter")
		}
		value, err := s.value()
		if err != nil {
			return t, err
		}
		switch {
		case string(name) == "dur" && !t.Timed:
			t.Timed = true
			if t.Nanos, err = nanos(value); err != nil {
				return t, err
			}
		case string(name) == "desc" && !described:
			described, t.Desc = true, value
		}
	}
	if !s.done() && s.in[s.at] != ',' {
		return t, s.expected("a comma")
	}
	return t, nil
}

// nanos reads a number of milliseconds: digits, a point, an exponent.
func nanos(b []byte) (int64, error) {
	for _, c := range b {
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '-' && c != '+' {
			return 0, fmt.Errorf("%w: dur=%.20q", ErrServerTiming, b)
		}
	}
	ms, err := strconv.ParseFloat(string(b), 64)
	if err != nil || ms < 0 || ms > 1e9 {
		return 0, fmt.Errorf("%w: dur=%.20q", ErrServerTiming, b)
	}
	return int64(ms*1e6 + 0.5), nil
}
