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
func percent(v float64) string {
	text := digits(100*v) + " %"
	if !strings.HasPrefix(text, "-") {
		text = "+" + text
	}
	return text
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
