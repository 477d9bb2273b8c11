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
		due[k] = time.Duration(float64(length) * float64(k) / float64(n))
	}
	return due
}

// Poisson returns the n instants of a Poisson process of which it is known
// that n of its events fell within length: independent uniform instants,
// sorted. The draws are integers, so a seed gives the same instants everywhere.
func Poisson(n int, length time.Duration, seed uint64) []time.Duration {
	due := make([]time.Duration, max(n, 0))
	random := rand.New(rand.NewPCG(seed, poissonStream))
	for k := range due {
		due[k] = time.Duration(random.Int64N(max(int64(length), 1)))
	}
	slices.Sort(due)
	return due
}

// The PCG streams of a seed: instants and counts are independent draws.
const (
	poissonStream = 0x706f6973736f6e // "poisson"
	countStream   = 0x636f756e74     // "count"
)

// poissonCount draws the number of events of a Poisson process in a stretch
// that expects mean of them, by its exponential gaps.
func poissonCount(mean float64, seed uint64) int {
	random := rand.New(rand.NewPCG(seed, countStream))
	n := 0
	for at := random.ExpFloat64(); at < mean; at += random.ExpFloat64() {
		n++
	}
	return n
}

// expected returns the number of requests that a mean rate (per second) gives
// in a length.
func expected(rate float64, length time.Duration) float64 {
	return math.Max(rate, 0) * length.Seconds()
}
