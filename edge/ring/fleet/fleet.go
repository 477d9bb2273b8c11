// Package fleet makes lists of servers for rings: read from a CSV file, or
// generated from a count and a law of weights, always the same for the same
// arguments.
package fleet

import (
	"fmt"
	"net/netip"

	"switchback/edge/ring"
)

// Generate returns count servers 10.x.y.z:80, where x, y, z are the bytes of
// 1, 2, … count, with weights by the law.
func Generate(count int, weights Weights) ([]ring.Server, error) {
	if count < 1 || count > ring.MaxServers {
		return nil, fmt.Errorf("%d servers, want 1 to %d", count, ring.MaxServers)
	}
	servers := make([]ring.Server, count)
	for i := range servers {
		n := i + 1
		ip := netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
		servers[i] = ring.Server{Addr: netip.AddrPortFrom(ip, 80), Weight: weights.of(i)}
	}
	return servers, nil
}
