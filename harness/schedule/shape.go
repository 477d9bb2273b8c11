package schedule

import "math"

// flat is a constant rate of 1.
type flat struct{}

func (flat) until(x float64) float64    { return x }
func (flat) reach(area float64) float64 { return area }

// ramp goes from one rate to another in a line.
type ramp struct{ from, to float64 }

func (r ramp) until(x float64) float64 { return r.from*x + (r.to-r.from)*x*x/2 }

// reach solves (to−from)/2·x² + from·x = area in the form that loses no
// digits when from and to are close.
func (r ramp) reach(area float64) float64 {
	if area <= 0 {
		return 0
	}
	root := r.from*r.from + 2*(r.to-r.from)*area
	if root < 0 {
		return never
	}
	return 2 * area / (r.from + math.Sqrt(root))
}

// steps are rates that hold for equal parts.
type steps []float64

func (s steps) until(x float64) float64 {
	area, part := 0.0, 1/float64(len(s))
	for i, rate := range s {
		area += rate * math.Min(math.Max(x-float64(i)*part, 0), part)
	}
	return area
}

func (s steps) reach(area float64) float64 {
	part := 1 / float64(len(s))
	for i, rate := range s {
		if rate > 0 && area <= rate*part {
			return float64(i)*part + math.Max(area, 0)/rate
		}
		area -= rate * part
	}
	return never
}

// sine swings around 1.
type sine struct{ amplitude, periods float64 }

func (s sine) until(x float64) float64 {
	angular := 2 * math.Pi * s.periods
	return x + s.amplitude*(1-math.Cos(angular*x))/angular
}

// sineSteps halves the interval to below a nanosecond of a day.
const sineSteps = 48

// reach bisects: the rate is nowhere negative, so until rises.
func (s sine) reach(area float64) float64 {
	if area > s.until(1) {
		return never
	}
	low, high := 0.0, 1.0
	for range sineSteps {
		middle := (low + high) / 2
		if s.until(middle) < area {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
