package targets

import (
	"math/big"
	"math/bits"
)

// zipf gives the ranks 1, 2, 3, … the weights 2³⁶ × rank^−s, in fixed-point
// integer arithmetic: floating-point powers differ between machines.
type zipf struct {
	exponent uint64               // s in millionths
	roots    [fractionBits]uint64 // 2^−(1/2), 2^−(1/4), … with rootBits
}

const (
	fractionBits = 48 // of a logarithm
	rootBits     = 62
	weightBits   = 36
)

func newZipf(exponent uint64) *zipf {
	z := &zipf{exponent: exponent}
	root := new(big.Int).Lsh(big.NewInt(1), rootBits-1)
	for i := range z.roots {
		root.Sqrt(root.Lsh(root, rootBits))
		z.roots[i] = root.Uint64()
	}
	return z
}

// weight returns the weight of a rank, which is at least 1.
func (z *zipf) weight(rank uint64) uint64 {
	high, low := bits.Mul64(log2(rank), z.exponent)
	power, _ := bits.Div64(high, low, million)
	value := uint64(1) << rootBits
	for i, root := range z.roots {
		if power>>(fractionBits-1-i)&1 == 1 {
			high, low := bits.Mul64(value, root)
			value = high<<(64-rootBits) | low>>rootBits
		}
	}
	return value >> (rootBits - weightBits) >> (power >> fractionBits)
}

// log2 returns the binary logarithm of x with fractionBits, by repeated
// squaring (Knuth, TAOCP 1.2.2, exercise 25 ff.).
func log2(x uint64) uint64 {
	shift := bits.LeadingZeros64(x)
	result := uint64(63 - shift)
	x <<= shift
	for range fractionBits {
		result <<= 1
		high, low := bits.Mul64(x, x)
		if high>>63 == 1 {
			result |= 1
			x = high
		} else {
			x = high<<1 | low>>63
		}
	}
	return result
}
