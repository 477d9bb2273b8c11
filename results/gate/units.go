package gate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// seconds writes a time with three digits in the unit that suits it.
func seconds(v float64) string {
	for _, u := range []struct {
		name   string
		factor float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if math.Abs(v) >= u.factor {
			return digits(v/u.factor) + " " + u.name
		}
	}
	return digits(v/1e-9) + " ns"
}

func bytesText(v float64) string {
	for _, u := range []struct {
		name   string
		factor float64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if math.Abs(v) >= u.factor {
			return digits(v/u.factor) + " " + u.name
		}
	}
	return digits(v) + " B"
}

// digits writes three significant digits without an exponent.
func digits(v float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	switch {
	case err != nil:
		rounded = v
	case rounded == 0:
		rounded = 0 // not the negative zero
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// percent writes a share with a sign.
func percent(v float64) string { return signed(100*v, " %") }

// signed writes a number with its sign and a unit.
func signed(v float64, unit string) string {
	text := digits(v)
	if text != "0" && !strings.HasPrefix(text, "-") {
		text = "+" + text
	}
	return text + unit
}

// ratio writes a ratio in percent of change, and one of more than two as a
// factor: ×3.2 for more, ÷128 for less.
func ratio(v float64) string {
	switch {
	case v >= 2:
		return "×" + digits(v)
	case v > 0 && v <= 0.5:
		return "÷" + digits(1/v)
	}
	return percent(v - 1)
}

// probability writes a p.
func probability(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p %.3g", p)
}

// quantity writes a value in the unit of a metric.
func quantity(v float64, unit string) string {
	switch unit {
	case "s":
		return seconds(v)
	case "s/request":
		return seconds(v) + " a request"
	case "bytes":
		return bytesText(v)
	case "bytes/request":
		return bytesText(v) + " a request"
	case "ratio":
		return digits(100*v) + " %"
	case "1/1000":
		return digits(v) + " per 1,000"
	}
	return fmt.Sprint(digits(v))
}
