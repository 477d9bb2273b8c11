package gate

import (
	"fmt"
	"strings"

	"switchback/results/metric"
	"switchback/results/units"
)

// Threshold is a bound of one load's own value, as a command line has it:
// ttfb.p99<20ms. It compares with nothing and has no statistics.
type Threshold struct {
	Bound         // with Max or Min
	strict bool   // < or >: the limit itself is outside
	text   string // as it was written
}

// ParseThreshold reads METRIC<LIMIT, with <, <=, > or >=.
func ParseThreshold(text string) (Threshold, error) {
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return Threshold{}, fmt.Errorf("threshold %.80q: want METRIC<LIMIT, such as %s", text, metric.TTFB+metric.P99+"<20ms")
	}
	limit, inclusive := strings.CutPrefix(text[at+1:], "=")
	amount, err := units.ParseAmount(limit)
	name := strings.TrimSpace(text[:at])
	m, known := metric.Lookup(name)
	switch {
	case err != nil:
		return Threshold{}, fmt.Errorf("threshold %.80q: %w", text, err)
	case !known:
		return Threshold{}, fmt.Errorf("threshold %.80q: unknown metric %.40q: want one such as %s or %s", text, name, metric.TTFB+metric.P99, metric.ErrorsRatio)
	case m.Unit == "s" && amount.Bare() && amount.Value != 0:
		return Threshold{}, fmt.Errorf("threshold %.80q: want a time with its unit, such as 20ms", text)
	}
	t := Threshold{Bound: Bound{Metric: name}, strict: !inclusive, text: strings.Join(strings.Fields(text), "")}
	if text[at] == '<' {
		t.Max = &amount
	} else {
		t.Min = &amount
	}
	if err := t.Validate(); err != nil {
		return Threshold{}, fmt.Errorf("threshold %.80q: %w", text, err)
	}
	return t, nil
}

// AtMost returns the threshold that a metric may not exceed.
func AtMost(name string, limit units.Amount) (Threshold, error) {
	return ParseThreshold(name + "<=" + limit.String())
}

// Kept reports whether a value is within the threshold.
func (t Threshold) Kept(value float64) bool {
	switch {
	case t.Max != nil:
		return value < t.Max.Value || !t.strict && value == t.Max.Value
	default:
		return value > t.Min.Value || !t.strict && value == t.Min.Value
	}
}

// String returns the threshold as it was written, without blanks.
func (t Threshold) String() string { return t.text }
