package gate

import (
	"math"
	"strings"
	"testing"
)

func TestThresholds(t *testing.T) {
	for text, kept := range map[string]map[float64]bool{
		"ttfb.p99<20ms":      {0.019: true, 0.020: false, 0.021: false, math.Inf(1): false},
		"latency.max <= 1s":  {1: true, 1.001: false},
		"ttfb.mean>1ms":      {0.001: false, 0.002: true},
		"errors.ratio>=0.5%": {0.005: true, 0.0049: false},
		"errors.ratio<0.02":  {0.019: true},
	} {
		threshold, err := ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		for value, want := range kept {
			if threshold.Kept(value) != want {
				t.Errorf("%s, %v: %v", threshold, value, !want)
			}
		}
		if threshold.String() != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%q is written %q", text, threshold)
		}
	}
	for text, want := range map[string]string{
		"":                  "want METRIC<LIMIT, such as ttfb.p99<20ms",
		"ttfb.p99=20ms":     "want METRIC<LIMIT",
		"ttfb.p99<":         "want a number with a unit",
		"ttfb.p99<20parsec": "want a number with a unit",
		"ttfb.p98<20ms":     `unknown metric "ttfb.p98"`,
		"ttfb.p99<1":        "want a time with its unit, such as 20ms",
		"<20ms":             `unknown metric ""`,
		"ttfb.p99<20MiB":    "the metric is in s",
		"ttfb.p99<5%":       "the metric is in s",
		"ttfb.p99<-1ms":     "below zero",
		"ttfb.p99<<1ms":     "want a number with a unit",
	} {
		if _, err := ParseThreshold(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
