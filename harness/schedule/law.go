package schedule

import (
	"fmt"
	"math"
	"time"
)

// Law is a law of arrivals: how a mean rate is spread over a block. Its zero
// value is the Poisson law.
type Law struct {
	kind string
	args []float64
}

// The laws. Numbers in parentheses are their defaults; rates are multiples of
// the rate of the load, so that a change of the rate keeps the shape.
const (
	kindPoisson     = "poisson"     // independent users
	kindConstant    = "constant"    // equal gaps
	kindRamp        = "ramp"        // ramp(0, 1): from the first to the second, in a line
	kindSteps       = "steps"       // steps(0.25, 0.5, 0.75, 1): each for an equal part
	kindSine        = "sine"        // sine(0.5, 1): amplitude, periods in the block
	kindBurst       = "burst"       // burst(10): so many at one instant
	kindConcurrency = "concurrency" // no instants: a closed loop
)

// IsClosed reports whether the law is a closed loop: requests are sent as
// connections become free, and there are no due instants.
func (l Law) IsClosed() bool { return l.kind == kindConcurrency }

// String returns the law as Parse reads it.
func (l Law) String() string {
	kind := l.Kind()
	if len(l.args) == 0 {
		return kind
	}
	text := kind + "("
	for i, a := range l.args {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(a)
	}
	return text + ")"
}

// Kind returns the law's name without its numbers.
func (l Law) Kind() string {
	if l.kind == "" {
		return kindPoisson
	}
	return l.kind
}

// At returns the instants of a load of rate requests per second: their number
// follows from the law. The seed matters to the Poisson law alone.
func (l Law) At(rate float64, length time.Duration, seed uint64) Next {
	if rate <= 0 || l.IsClosed() {
		return func() (time.Duration, bool) { return 0, false }
	}
	if l.Kind() == kindPoisson {
		return poissonRate(rate, length, seed)
	}
	shape := l.shape()
	perNano := rate / float64(time.Second) * float64(length)
	k := 0
	return func() (time.Duration, bool) {
		at := shape.reach(l.whole(k) / perNano)
		k++
		return instant(at*float64(length), length)
	}
}

// Given returns n instants: the law, given their number. A closed loop has none.
func (l Law) Given(n int, length time.Duration, seed uint64) []time.Duration {
	switch {
	case l.IsClosed():
		return nil
	case l.Kind() == kindPoisson:
		return Poisson(n, length, seed)
	case l.Kind() == kindConstant:
		return Constant(n, length)
	}
	shape := l.shape()
	due := make([]time.Duration, max(n, 0))
	for k := range due {
		at := shape.reach(l.whole(k) / float64(n) * shape.until(1))
		due[k] = min(time.Duration(math.Round(at*float64(length))), length-1)
	}
	return due
}

// whole returns how many requests come before the k-th: k, or, in bursts,
// those of the bursts before its own.
func (l Law) whole(k int) float64 {
	if l.kind != kindBurst {
		return float64(k)
	}
	size := int(l.args[0])
	return float64(k / size * size)
}

// shape is the rate over the length of a block, both scaled to 1.
type shape interface {
	// until returns the integral of the rate from 0 to x.
	until(x float64) float64
	// reach returns the least x with until(x) = area; above 1 when there is none.
	reach(area float64) float64
}

func (l Law) shape() shape {
	switch l.kind {
	case kindRamp:
		return ramp{l.args[0], l.args[1]}
	case kindSteps:
		return steps(l.args)
	case kindSine:
		return sine{l.args[0], l.args[1]}
	}
	return flat{}
}

// never is an x that no block reaches.
var never = math.Inf(1)
