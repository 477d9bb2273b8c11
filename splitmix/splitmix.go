// Package splitmix is the mixing of SplitMix64 (Steele, Lea & Flood 2014). It is
// integer arithmetic only, so that what is drawn with it is the same on every
// machine.
package splitmix

// Gamma is what the counter of SplitMix64 grows by: 2⁶⁴ over the golden ratio,
// odd.
const Gamma = 0x9e3779b97f4a7c15

// Mix is the finaliser of SplitMix64, a bijection of 64 bits that leaves 0 as it
// is.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
