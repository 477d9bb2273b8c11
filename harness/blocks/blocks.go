// Package blocks decides which arm has the traffic when: rounds, their order
// by a coin, and when arms are started anew. It is pure arithmetic: the same
// seed gives the same plan on every machine and in every version.
//
// The unit of randomisation is the round. Each round's order is a fair
// permutation of the arms of its own, independent of all others, since the
// exact test of a run rests on exactly that (Bojinov, Simchi-Levi & Zhao,
// "Design and Analysis of Switchback Experiments", 2023). Balanced or
// alternating orders would break it.
package blocks

import "time"

// Bounds of a block's guard.
const (
	// Guard is the default start of a block that is sent but not counted.
	Guard = 20 * time.Millisecond
	// GuardFactor is how many times longer than its guard a block must be.
	GuardFactor = 10
)

// Round is one block of each arm, with identical requests at identical offsets.
type Round struct {
	Pair   int   // from 0
	Order  []int // arms by number, in the order of their blocks
	Launch int   // number of the launch that the arms are in, from 0
	Start  []int // arms in the order in which they are started before the round; nil when they stay up
}

// Plan returns the rounds of an experiment. The arms are started before the
// first round and before every launchEvery-th one after it; with 0 only
// before the first. A longer plan of the same seed begins with the shorter one.
// There is no plan for fewer than one arm.
func Plan(seed uint64, arms, pairs, launchEvery int) []Round {
	if arms < 1 || pairs < 1 {
		return nil
	}
	orders, starts := newStream(seed, orderStream), newStream(seed, startStream)
	rounds := make([]Round, pairs)
	launch := 0
	for i := range rounds {
		rounds[i] = Round{Pair: i, Order: orders.permutation(arms)}
		if i == 0 || launchEvery > 0 && i%launchEvery == 0 {
			rounds[i].Start = starts.permutation(arms)
			if i > 0 {
				launch++
			}
		}
		rounds[i].Launch = launch
	}
	return rounds
}

// Launches is the number of launches in a plan of that many pairs.
func Launches(pairs, launchEvery int) int {
	if launchEvery <= 0 {
		return min(pairs, 1)
	}
	return (pairs + launchEvery - 1) / launchEvery
}
