// Package fleet makes lists of servers for rings: read from a CSV file, or
// generated from a count and a law of weights, always the same for the same
// arguments. A server of weight 0 is drained: it stands in the list and is not
// on a ring.
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

// Active leaves out the drained servers, which ring.New refuses, and returns
// where in the list each of the others stands, from 0. A list without any other
// is an error.
func Active(servers []ring.Server) (active []ring.Server, places []int, err error) {
	for i, s := range servers {
		if s.Weight != 0 {
			active, places = append(active, s), append(places, i)
		}
	}
	if len(active) == 0 {
		return nil, nil, fmt.Errorf("none of the %d servers has a weight above 0, want at least one on the ring", len(servers))
	}
	return active, places, nil
}
