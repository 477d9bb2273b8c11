package blocks

import (
	"math/bits"
	"math/rand/v2"

	"switchback/splitmix"
)

// The streams of random numbers that are drawn from one seed. They are apart,
// so that a change of launches leaves the order of blocks as it was.
const (
	orderStream = 1
	startStream = 2
)

// stream draws from PCG-DXSM (math/rand/v2's PCG, whose numbers are fixed by
// its documentation). Draws are made here and not by rand.Rand, whose methods
// may change which numbers they use.
type stream struct{ pcg *rand.PCG }

// newStream returns one stream of a seed: PCG's two words of state are the
// seed and the stream's number, both mixed, so that neighbouring seeds share nothing.
func newStream(seed, number uint64) stream {
	return stream{rand.NewPCG(mix(seed), mix(^seed)^mix(number))}
}

// mix is the finaliser of SplitMix64 (Steele, Lea & Flood 2014) after one
// step of its counter: a bijection without a fixed point at 0.
func mix(x uint64) uint64 {
	return splitmix.Mix(x + splitmix.Gamma)
}

// below returns a number from 0 to n-1, each equally likely: Lemire's method
// (2019), by rejection of the few products that would favour some.
func (s stream) below(n uint64) uint64 {
	for {
		high, low := bits.Mul64(s.pcg.Uint64(), n)
		if low >= -n%n {
			return high
		}
	}
}

// permutation returns the numbers from 0 to n-1 in random order
// (Fisher–Yates). With two it is a fair coin.
func (s stream) permutation(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := int(s.below(uint64(i + 1)))
		p[i], p[j] = p[j], p[i]
	}
	return p
}
