package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// NoAnswer stands for the value of a quantile at whose rank the request failed.
const NoAnswer = "no answer"

// Number formats a value of a metric in its unit, with three digits; +Inf is NoAnswer.
func Number(v float64, unit string) string {
	switch unit {
	case "s", "s/request":
		return Seconds(v)
	case "bytes", "bytes/request":
		return InBytes(v)
	case "ratio":
		return Percent(v)
	}
	return Digits(v)
}

// Per returns what a metric's unit is counted per, for text that has no label
// beside its number: 12.0 µs " a request", 131 " per 1,000".
func Per(unit string) string {
	switch unit {
	case "s/request", "bytes/request":
		return " a request"
	case "1/1000":
		return " per 1,000"
	case "1/s":
		return "/s"
	}
	return ""
}

// KindOf returns the kind of the quantities that have a metric's unit.
func KindOf(unit string) Kind {
	switch unit {
	case "s", "s/request":
		return Time
	case "bytes", "bytes/request":
		return Size
	case "ratio":
		return Part
	case "1/s":
		return PerTime
	}
	return Plain
}

// Percent formats a share: 92.1 %.
func Percent(v float64) string { return Digits(100*v) + " %" }

// Seconds formats a duration: 141 ms, 412 µs; +Inf is NoAnswer.
func Seconds(v float64) string {
	switch size := math.Abs(v); {
	case math.IsInf(v, 1):
		return NoAnswer
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

// InBytes formats a size: 64.0 MiB.
func InBytes(v float64) string {
	suffix := "B"
	for _, larger := range [...]string{"KiB", "MiB", "GiB", "TiB"} {
		if math.Abs(v) < 999.5 {
			break
		}
		v, suffix = v/1024, larger
	}
	return Digits(v) + " " + suffix
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
	return fmt.Sprintf("p %.3g", p)
}

// Endless reports whether v is not a number, or so large that it stands for
// one without an end.
func Endless(v float64) bool { return !(math.Abs(v) < math.MaxFloat64) }
