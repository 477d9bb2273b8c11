package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// number formats a value of a metric in its unit, with three digits.
func number(v float64, unit string) string {
	switch unit {
	case "s", "s/request":
		return seconds(v)
	case "bytes", "bytes/request":
		return bytes(v)
	case "ratio":
		return digits(100*v) + " %"
	}
	return digits(v)
}

// seconds formats a duration: 141 ms, 412 µs.
func seconds(v float64) string {
	switch size := math.Abs(v); {
	case v == 0:
		return "0 s"
	case size < 999.5e-9:
		return digits(v*1e9) + " ns"
	case size < 999.5e-6:
		return digits(v*1e6) + " µs"
	case size < 0.9995:
		return digits(v*1e3) + " ms"
	}
	return digits(v) + " s"
}

// bytes formats a size: 64.0 MiB.
func bytes(v float64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for i < len(units)-1 && math.Abs(v) >= 1000 {
		v /= 1024
		i++
	}
	return digits(v) + " " + units[i]
}

// digits formats a number with three significant digits, and one of a
// thousand or more as a whole number with separators.
func digits(v float64) string {
	switch size := math.Abs(v); {
	case endless(v):
		return "?"
	case v == 0:
		return "0"
	case size >= 999.5:
		return thousands(v)
	case size >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case size >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case size >= 0.01:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// thousands formats a whole number with a comma between groups of three.
func thousands(v float64) string {
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

// count formats a number of things: 1 pair, 12,240 requests, 3 launches.
func count(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "ch"):
		thing += "e"
	}
	return thousands(float64(n)) + " " + thing + "s"
}

// probability formats a p.
func probability(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p = %.3f", p)
}
