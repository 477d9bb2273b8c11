// Package schedule says when requests are due: arrival laws, drawn before the
// load begins, and how far what was sent lies from what was planned. It is
// arithmetic: it sends nothing and reads no clock.
//
// Instants are offsets from the start of a block, ascending, in [0, length).
package schedule

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Constant returns n instants at equal distances, the first at 0.
func Constant(n int, length time.Duration) []time.Duration {
	due := make([]time.Duration, max(n, 0))
	for k := range due {
		due[k] = time.Duration(math.Round(float64(length) * float64(k) / float64(n)))
	}
	return due
}

// Poisson returns the n instants of a Poisson process of which it is known
// that n of its events fell within length: independent uniform instants,
// sorted. The draws are integers, so a seed gives the same instants everywhere.
func Poisson(n int, length time.Duration, seed uint64) []time.Duration {
	due := make([]time.Duration, max(n, 0))
	random := rand.New(rand.NewPCG(seed, givenStream))
	for k := range due {
		due[k] = time.Duration(random.Int64N(max(int64(length), 1)))
	}
	slices.Sort(due)
	return due
}

// The PCG streams of a seed: the two forms of the Poisson law draw apart.
const (
	givenStream = 0x676976656e // "given"
	rateStream  = 0x72617465   // "rate"
)

// Next returns the next instant of a schedule; false after the last.
type Next func() (time.Duration, bool)

// All returns the instants that are left.
func (next Next) All() []time.Duration {
	var due []time.Duration
	for at, ok := next(); ok; at, ok = next() {
		due = append(due, at)
	}
	return due
}

// poissonRate draws the gaps of a Poisson process of a rate per second.
func poissonRate(rate float64, length time.Duration, seed uint64) Next {
	random := rand.New(rand.NewPCG(seed, rateStream))
	at := 0.0
	return func() (time.Duration, bool) {
		at += random.ExpFloat64() / rate * float64(time.Second)
		return instant(at, length)
	}
}

// instant rounds at (nanoseconds); false: it is not within length.
func instant(at float64, length time.Duration) (time.Duration, bool) {
	at = math.Round(at)
	return time.Duration(at), at < float64(length)
}
