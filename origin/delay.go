package origin

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// MaxDelay bounds every delay, given or drawn.
const MaxDelay = time.Minute

// maxSigma bounds the shape of a lognormal delay: at 3 the 99th percentile is
// already a thousand times the median.
const maxSigma = 3

// Delay is a law of delays. With Sigma 0 it is the constant Median, else
// lognormal: its logarithm is normal around ln Median with deviation Sigma.
// The zero value is no delay.
type Delay struct {
	Median time.Duration
	Sigma  float64
}

// ParseDelay reads "5ms" or "lognormal(5ms, 0.5)" (median, deviation of the
// logarithm). The error says what was expected.
func ParseDelay(text string) (Delay, error) {
	inner, ok := strings.CutPrefix(text, "lognormal(")
	if !ok {
		median, err := parseMedian(text)
		return Delay{Median: median}, err
	}
	inner, closed := strings.CutSuffix(inner, ")")
	first, second, two := strings.Cut(inner, ",")
	if !closed || !two {
		return Delay{}, fmt.Errorf(`delay %q: expected "5ms" or "lognormal(5ms, 0.5)"`, text)
	}
	median, err := parseMedian(strings.TrimSpace(first))
	if err != nil {
		return Delay{}, err
	}
	second = strings.TrimSpace(second)
	sigma, err := strconv.ParseFloat(second, 64)
	if err != nil || !(sigma > 0 && sigma <= maxSigma) {
		return Delay{}, fmt.Errorf("delay %q: the deviation %q must be a number above 0, at most %d", text, second, maxSigma)
	}
	return Delay{Median: median, Sigma: sigma}, nil
}

func parseMedian(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf(`delay %q: expected "5ms" or "lognormal(5ms, 0.5)"`, text)
	}
	if d < 0 || d > MaxDelay {
		return 0, fmt.Errorf("delay %q must lie between 0s and %s", text, MaxDelay)
	}
	return d, nil
}

// Draw returns the delay that belongs to 64 random bits, at most MaxDelay.
func (d Delay) Draw(bits uint64) time.Duration {
	if d.Sigma == 0 || d.Median == 0 {
		return d.Median
	}
	// The half keeps the argument inside (-1, 1), where Erfinv is finite.
	u := (float64(bits>>12) + 0.5) / (1 << 52)
	z := math.Sqrt2 * math.Erfinv(2*u-1)
	drawn := float64(d.Median) * math.Exp(d.Sigma*z)
	return time.Duration(min(drawn, float64(MaxDelay)))
}

// String returns the form that ParseDelay reads.
func (d Delay) String() string {
	if d.Sigma == 0 {
		return d.Median.String()
	}
	return fmt.Sprintf("lognormal(%s, %g)", d.Median, d.Sigma)
}
