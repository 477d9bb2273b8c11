package datasets

import (
	"math/bits"

	"switchback/splitmix"
)

// Draws is a seeded sequence of integers: SplitMix64 (Steele, Lea and Flood
// 2014). It uses integer arithmetic only, so a seed gives the same sequence on
// every machine. The zero value is a valid sequence.
type Draws struct{ state uint64 }

// NewDraws returns the sequence of a seed, or of one of its streams: sequences
// with different streams are independent.
func NewDraws(seed uint64, streams ...uint64) Draws {
	state := splitmix.Mix(seed)
	for _, s := range streams {
		state = splitmix.Mix(state ^ splitmix.Mix(s+splitmix.Gamma))
	}
	return Draws{state}
}

// Uint64 returns the next integer.
func (d *Draws) Uint64() uint64 {
	d.state += splitmix.Gamma
	return splitmix.Mix(d.state)
}

// Below returns an integer from 0 to n−1; 0 for n of 0. Its bias is n/2⁶⁴.
func (d *Draws) Below(n uint64) uint64 {
	high, _ := bits.Mul64(d.Uint64(), n)
	return high
}

// oneIn is true once in n times.
func (d *Draws) oneIn(n uint64) bool { return d.Below(n) == 0 }

// shuffled32 is a bijection of 32 bits for each key: shuffled32(key, 0),
// shuffled32(key, 1), … are draws without replacement that need no memory.
func shuffled32(key uint64, i uint32) uint32 {
	x := i ^ uint32(key)
	for range 2 {
		x = (x ^ x>>16) * 0x85ebca6b
		x = (x ^ x>>13) * 0xc2b2ae35
		x = x ^ x>>16 ^ uint32(key>>32)
	}
	return x
}

// shuffled64 is shuffled32 for 64 bits.
func shuffled64(key, i uint64) uint64 { return splitmix.Mix(splitmix.Mix(i^key) ^ ^key) }
