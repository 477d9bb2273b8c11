package page

import (
	"math"
	"strconv"
	"strings"

	"switchback/results/units"
)

// numbers are written to JSON with five digits, which no chart can show more
// than, and null for what is not a number.
type numbers []float64

// MarshalJSON implements json.Marshaler.
func (n numbers) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 8*len(n)+2)
	out = append(out, '[')
	for i, v := range n {
		if i > 0 {
			out = append(out, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			out = append(out, "null"...)
			continue
		}
		out = strconv.AppendFloat(out, v, 'g', 5, 64)
	}
	return append(out, ']'), nil
}

// figure is a number of the page: as a person reads it, and exactly.
type figure struct {
	Text  string
	Exact string // "" for what is not known
}

func figureOf(v float64, unit string) figure {
	return figure{units.Number(v, unit), exact(v)}
}

func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// tickLabel writes a round value of an axis without needless zeros.
func tickLabel(v float64, unit string) string {
	switch unit {
	case percentile:
		return percentileLabel(v)
	case elapsed:
		return elapsedLabel(v)
	case plain:
		return trimZeros(units.Digits(v))
	}
	return trimZeros(units.Number(v, unit))
}

// percentileLabel writes 1/(1-q) as a percentile: 100 is 99 %.
func percentileLabel(v float64) string {
	return strconv.FormatFloat(100*(1-1/v), 'g', 6, 64) + " %"
}

// elapsedLabel writes seconds since the start: 40 s, 2:05 min.
func elapsedLabel(v float64) string {
	if v < 120 {
		return strconv.FormatFloat(v, 'f', -1, 64) + " s"
	}
	seconds := int(v + 0.5)
	return strconv.Itoa(seconds/60) + ":" + strconv.Itoa(seconds%60 + 100)[1:] + " min"
}

// trimZeros turns 1.00 ms into 1 ms.
func trimZeros(s string) string {
	number, unit, _ := strings.Cut(s, " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	if unit == "" {
		return number
	}
	return number + " " + unit
}
