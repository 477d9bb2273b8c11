package edge

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"switchback/edge/ring"
)

// nodePort is the port of every node's address on the ring.
const nodePort = 80

// members returns the n members of a generated ring. Their addresses are a law
// of their number, so that rings are equal on every machine and whatever port
// a node listens on: the i-th, from 1, is 10.x.y.z:80 with x, y, z the bytes
// of i.
func members(n int, weights string) ([]ring.Server, error) {
	if n < 1 || n > ring.MaxServers {
		return nil, fmt.Errorf("%d nodes, must be 1 to %d", n, ring.MaxServers)
	}
	low, high, err := parseWeights(weights)
	if err != nil {
		return nil, err
	}
	servers := make([]ring.Server, n)
	for i := range servers {
		number := i + 1
		ip := netip.AddrFrom4([4]byte{10, byte(number >> 16), byte(number >> 8), byte(number)})
		servers[i] = ring.Server{Addr: netip.AddrPortFrom(ip, nodePort), Weight: low + i%(high-low+1)}
	}
	return servers, nil
}

// parseWeights reads "equal" or "LOW-HIGH".
func parseWeights(text string) (low, high int, err error) {
	if text == "equal" {
		return 1, 1, nil
	}
	first, second, _ := strings.Cut(text, "-")
	low, errLow := strconv.Atoi(first)
	high, errHigh := strconv.Atoi(second)
	if errLow != nil || errHigh != nil || low < 1 || high < low {
		return 0, 0, fmt.Errorf("weights %q: expected equal, or LOW-HIGH as in 1-10", text)
	}
	return low, high, nil
}
