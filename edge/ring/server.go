package ring

import (
	"fmt"
	"hash/crc32"
	"net/netip"
	"slices"
	"strconv"
)

// MaxServers is the number of servers that a 16-bit index can name.
const MaxServers = 1 << 16

// Server is one member of a ring.
type Server struct {
	Addr     netip.AddrPort
	Weight   int      // 1 or more
	Features []string // what the server can do; read by NewSets only
}

// prefix appends the text that starts the hash of every point of the server:
// the address, a zero byte, the port.
func (n Names) prefix(dst []byte, addr netip.AddrPort) []byte {
	ip := addr.Addr().WithZone("")
	brackets := n == NamesDirective && ip.Is6()
	if brackets {
		dst = append(dst, '[')
	}
	dst = ip.AppendTo(dst)
	if brackets {
		dst = append(dst, ']')
	}
	dst = append(dst, 0)
	return strconv.AppendUint(dst, uint64(addr.Port()), 10)
}

// source is what a build makes points of, by the index of the server.
type source struct {
	starts []uint32 // CRC of the prefix
	counts []int    // points
	ranks  []int    // order in which servers win a shared point
	total  int      // points of all servers
}

// newSource checks the servers against the limits and ranks them.
func newSource(spec Spec, servers []Server, names Names, maxPoints int) (*source, error) {
	if err := checkLimits(spec, servers); err != nil {
		return nil, err
	}
	ranks, err := rank(servers, names)
	if err != nil {
		return nil, fmt.Errorf("ring %s: %w", spec, err)
	}
	src := &source{starts: make([]uint32, len(servers)), counts: make([]int, len(servers)), ranks: ranks}
	var text []byte
	for i, server := range servers {
		points, err := countPoints(spec, server, maxPoints-src.total)
		if err != nil {
			return nil, fmt.Errorf("ring %s: server %s: %w (at most %d points in a ring)", spec, server.Addr, err, maxPoints)
		}
		text = names.prefix(text[:0], server.Addr)
		src.starts[i] = crc32.ChecksumIEEE(text)
		src.counts[i] = points
		src.total += points
	}
	return src, nil
}

func checkLimits(spec Spec, servers []Server) error {
	if err := spec.Check(); err != nil {
		return err
	}
	switch {
	case len(servers) == 0:
		return fmt.Errorf("ring %s: no servers", spec)
	case len(servers) > MaxServers:
		return fmt.Errorf("ring %s: %d servers, at most %d", spec, len(servers), MaxServers)
	}
	return nil
}

// countPoints returns weight × multiple unless it is none or above left. The
// product of two numbers below 2³¹ and 2⁶³ may overflow, so it divides.
func countPoints(spec Spec, server Server, left int) (int, error) {
	if server.Weight < 1 {
		return 0, fmt.Errorf("weight %d, want 1 or more", server.Weight)
	}
	if server.Weight > left/spec.Multiple {
		return 0, fmt.Errorf("weight %d × multiple %d makes too many points: %d are left", server.Weight, spec.Multiple, left)
	}
	return server.Weight * spec.Multiple, nil
}

// rank returns the place of each server in the order in which they win a
// shared point: by address, or as listed when names are nginx directives.
func rank(servers []Server, names Names) ([]int, error) {
	order := make([]int, len(servers))
	for i, s := range servers {
		if !s.Addr.IsValid() {
			return nil, fmt.Errorf("server %d of %d has no address", i+1, len(servers))
		}
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareAddr(servers[a].Addr, servers[b].Addr) })
	ranks := make([]int, len(servers))
	for r, i := range order {
		ranks[i] = r
		if r > 0 && compareAddr(servers[order[r-1]].Addr, servers[i].Addr) == 0 {
			first, second := min(order[r-1], i), max(order[r-1], i)
			return nil, fmt.Errorf("address %s is listed twice: as server %d and %d", servers[i].Addr, first+1, second+1)
		}
	}
	if names == NamesDirective {
		slices.Sort(ranks)
	}
	return ranks, nil
}

// compareAddr orders by address (IPv4 first) and then port. Zones are not
// part of the hashed text, so they don't tell two servers apart.
func compareAddr(a, b netip.AddrPort) int {
	if c := a.Addr().WithZone("").Compare(b.Addr().WithZone("")); c != 0 {
		return c
	}
	return int(a.Port()) - int(b.Port())
}
