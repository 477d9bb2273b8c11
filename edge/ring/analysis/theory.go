package analysis

import (
	"math"

	"switchback/edge/ring"
)

// CV returns the coefficient of variation that random points give to the
// shares of servers with so many points each, relative to their fair shares.
// A server's share follows a beta distribution, so for N servers with k points
// each it is √((N−1)/(N·k+1)), about 1/√k.
func CV(points []int) float64 {
	total := 0
	for _, k := range points {
		total += k
	}
	variance := 0.0
	for _, k := range points {
		variance += float64(total-k) / (float64(k) * float64(total+1))
	}
	return math.Sqrt(variance / float64(len(points)))
}

// Collisions returns the number of points that are expected to fall on the
// hash of another: about n²/2³³.
func Collisions(points int) float64 {
	const space = 1 << 32
	n := float64(points)
	// n points fall on space × (1 − (1 − 1/space)ⁿ) different hashes.
	return n + space*math.Expm1(n*math.Log1p(-1.0/space))
}

// pointsOf returns the points that a ring gives each server.
func pointsOf(spec ring.Spec, servers []ring.Server) []int {
	points := make([]int, len(servers))
	for i, s := range servers {
		points[i] = s.Weight * spec.Multiple
	}
	return points
}

// Moved returns the share of keys that is expected to change servers when
// servers with the points from get the points to. Both lists name the same
// servers in the same order; 0 is a server that is absent. A server's points
// are the first of one endless sequence, so the smaller number is common to
// both rings. A key moves when the nearest point of either ring is not common
// and the other ring's next point is another server's.
func Moved(from, to []int) float64 {
	var before, after side
	union := 0.0
	for i := range from {
		before.add(from[i], from[i]-to[i], to[i])
		after.add(to[i], to[i]-from[i], from[i])
		union += float64(max(from[i], to[i]))
	}
	return before.moved(union, after.points) + after.moved(union, before.points)
}

// side sums up one of two rings.
type side struct {
	points float64 // of all servers
	own    float64 // that the other ring lacks
	same   float64 // Σ own points × the other ring's points of the same server
}

func (s *side) add(points, own, other int) {
	s.points += float64(points)
	if own > 0 {
		s.own += float64(own)
		s.same += float64(own) * float64(other)
	}
}

// moved returns the share of keys whose nearest point is on this ring alone
// and whose server on the other is another.
func (s *side) moved(union, otherPoints float64) float64 {
	return (s.own - s.same/otherPoints) / union
}
