package ring_test

import (
	"fmt"
	"net/netip"

	"switchback/edge/ring"
)

// A ring is built of a list of servers and answers with indexes into it. When
// a server is down, its keys go to the next one on the ring and come back
// with it; no other key moves.
func Example() {
	var servers []ring.Server
	for i, weight := range []int{1, 2, 5, 10, 3} {
		addr := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(9001+i))
		servers = append(servers, ring.Server{Addr: addr, Weight: weight})
	}
	spec, err := ring.ParseSpec("v3:16")
	if err != nil {
		panic(err)
	}
	r, err := ring.New(spec, servers, ring.Options{})
	if err != nil {
		panic(err)
	}
	owner := r.Pick([]byte("b"))
	fmt.Println("owner:", servers[owner].Addr)

	var down ring.ServerSet
	down = down.With(owner)
	fmt.Println("while it is down:", servers[r.PickUp(ring.HashString("b"), down)].Addr)
	// Output:
	// owner: 127.0.0.1:9004
	// while it is down: 127.0.0.1:9005
}
