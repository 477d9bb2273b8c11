package figures

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number formats a value of a metric in its unit, with three digits.
func Number(v float64, unit string) string {
	switch unit {
	case "s", "s/request":
		return Seconds(v)
	case "bytes", "bytes/request":
		return Bytes(v)
	case "ratio":
		return Digits(100*v) + " %"
	}
	return Digits(v)
}

// Seconds formats a duration: 141 ms, 412 µs.
func Seconds(v float64) string {
	switch size := math.Abs(v); {
	case v == 0:
		return "0 s"
	case size < 999.5e-9:
		return Digits(v*1e9) + " ns"
	case size < 999.5e-6:
		return Digits(v*1e6) + " µs"
	case size < 0.9995:
		return Digits(v*1e3) + " ms"
	}
	return Digits(v) + " s"
}

// Bytes formats a size: 64.0 MiB.
func Bytes(v float64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for i < len(units)-1 && math.Abs(v) >= 1000 {
		v /= 1024
		i++
	}
	return Digits(v) + " " + units[i]
}

// Digits formats a number with three significant digits, and one of a
// thousand or more as a whole number with separators.
func Digits(v float64) string {
	switch size := math.Abs(v); {
	case Endless(v):
		return "?"
	case v == 0:
		return "0"
	case size >= 999.5:
		return Thousands(v)
	case size >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case size >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case size >= 0.01:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// Thousands formats a whole number with a comma between groups of three.
func Thousands(v float64) string {
	if math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := strconv.FormatInt(int64(math.Round(math.Abs(v))), 10)
	var b strings.Builder
	if v < 0 {
		b.WriteByte('-')
	}
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Count formats a number of things: 1 pair, 12,240 requests, 3 launches.
func Count(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "ch"):
		thing += "e"
	}
	return Thousands(float64(n)) + " " + thing + "s"
}

// Probability formats a p.
func Probability(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p = %.3f", p)
}
