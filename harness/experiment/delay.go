package experiment

import (
	"fmt"
	"math"
	"regexp"
	"time"

	"switchback/results/units"
)

// Delay is the law of the origin's delay: constant when Sigma is 0, else
// log-normal with Median and the standard deviation Sigma of its logarithm.
type Delay struct {
	Median time.Duration
	Sigma  float64
}

var lognormal = regexp.MustCompile(`^lognormal\(\s*([^,\s]+)\s*,\s*([^,\s]+)\s*\)$`)

// ParseDelay reads "5ms" or "lognormal(5ms, 0.5)".
func ParseDelay(text string) (Delay, error) {
	var d Delay
	median := text
	if m := lognormal.FindStringSubmatch(text); m != nil {
		median = m[1]
		var err error
		if d.Sigma, err = units.ParseNumber(m[2]); err != nil || d.Sigma > 3 {
			return Delay{}, fmt.Errorf("expected a sigma from 0 to 3, got %s", quote(m[2]))
		}
	}
	v, err := time.ParseDuration(median)
	if err != nil || v < 0 || v > time.Minute || math.IsNaN(d.Sigma) {
		return Delay{}, fmt.Errorf("expected a delay up to 1m such as 5ms or lognormal(5ms, 0.5), got %s", quote(text))
	}
	d.Median = v
	return d, nil
}
