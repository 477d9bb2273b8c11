package origin

import "switchback/splitmix"

// The purposes of a draw: each has a stream of its own, so that turning faults
// on leaves the delays as they were.
const (
	forDelay uint64 = 0x64656c6179
	forFault uint64 = 0x6661756c74
)

// draw returns 64 bits for the n-th request: splitmix64 over the seed, the
// purpose and the number, so that the n-th draw needs no state and no lock.
func draw(seed, n, purpose uint64) uint64 {
	return splitmix.Mix(splitmix.Mix(seed^purpose) + n*splitmix.Gamma)
}

// unit maps 64 bits to [0, 1) with 53 bits of precision.
func unit(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
