package ring

import (
	"math"
	"unsafe"
)

// Size returns the memory that a ring of so many points and servers takes,
// without building it. What it can't know, the points that servers share and
// the crowded buckets of v3, it takes as expected: it is within a thousandth
// of Ring.Bytes from some thousand points on.
func Size(version Version, points, servers int) int64 {
	own := int64(unsafe.Sizeof(Ring{}))
	switch version {
	case V1:
		return own + int64(unsafe.Sizeof(flat[uint32]{})) + 8*int64(points)
	case V2:
		return own + int64(unsafe.Sizeof(flat[uint16]{})) + 6*int64(points) + 4*(1<<indexBits(points)+1)
	}
	s := shapeOf(points, uint64(max(servers, 2)))
	crowded := float64(s.buckets()) * poissonAbove(maxCount, float64(points)/float64(s.buckets()))
	return own + int64(unsafe.Sizeof(packed{})) + s.groupBytes() + s.recordBytes(points) + 4*int64(crowded)
}

// poissonAbove returns the probability that a Poisson count of the mean is
// above n.
func poissonAbove(n int, mean float64) float64 {
	term := math.Exp(-mean)
	sum := term
	for k := 1; k <= n; k++ {
		term *= mean / float64(k)
		sum += term
	}
	return max(0, 1-sum)
}

// Floor returns the least bytes a point that any lossless store of (hash,
// server) pairs needs: (log₂(2³²/points) + log₂ e + log₂ servers)/8.
func Floor(points, servers int) float64 {
	return (32 - math.Log2(float64(points)) + math.Log2E + math.Log2(float64(servers))) / 8
}
