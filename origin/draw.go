package origin

// The purposes of a draw: each has a stream of its own, so that turning faults
// on leaves the delays as they were.
const (
	forDelay uint64 = 0x64656c6179
	forFault uint64 = 0x6661756c74
)

// draw returns 64 bits for the n-th request: splitmix64 over the seed, the
// purpose and the number, so that the n-th draw needs no state and no lock.
func draw(seed, n, purpose uint64) uint64 {
	return mix(mix(seed^purpose) + n*0x9e3779b97f4a7c15)
}

// mix is the finaliser of splitmix64 (Steele, Lea & Flood 2014).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// unit maps 64 bits to [0, 1) with 53 bits of precision.
func unit(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
