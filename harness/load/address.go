package load

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// maxAddresses is how many addresses of a name are tried.
const maxAddresses = 4

// addresses are where a server may be found: those of a name, of either
// family. A dial begins with the one that answered last; when that fails, it
// tries the others.
type addresses struct {
	list   []netip.AddrPort
	local  []bool       // this machine has an address to send from
	chosen atomic.Int32 // index of the one to begin with
}

// resolve looks up host:port once, so that all dials of an engine try the same.
func resolve(address string, timeout time.Duration) (*addresses, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	host, service, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", address, err)
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", service)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", address, err)
	}
	ips, err := lookUp(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", address, err)
	}
	a := &addresses{}
	for _, ip := range ips {
		at := netip.AddrPortFrom(ip.Unmap(), uint16(port))
		if len(a.list) < maxAddresses {
			a.list, a.local = append(a.list, at), append(a.local, reachable(at))
		}
	}
	a.choose(a.first())
	return a, nil
}

// lookUp returns the addresses of a host. An empty one and localhost are the
// loopback of both families, whatever the resolver says (RFC 6761 §6.3).
func lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	switch {
	case name == "":
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}, nil
	case name == "localhost" || strings.HasSuffix(name, ".localhost"):
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// reachable reports whether this machine has an address and a route to send
// from. Connecting a UDP socket asks the kernel that, and sends nothing.
func reachable(at netip.AddrPort) bool {
	conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(at))
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// first returns the index of the first address that can be reached, else 0.
func (a *addresses) first() int {
	for i, ok := range a.local {
		if ok {
			return i
		}
	}
	return 0
}

func (a *addresses) choose(i int) { a.chosen.Store(int32(i % len(a.list))) }

// at returns the index of the n-th address of a dial that began with from;
// false after the last.
func (a *addresses) at(from, n int) (int, bool) {
	if n >= len(a.list) {
		return 0, false
	}
	return (from + n) % len(a.list), true
}

// String lists the addresses.
func (a *addresses) String() string {
	parts := make([]string, len(a.list))
	for i, at := range a.list {
		parts[i] = at.String()
	}
	return strings.Join(parts, ", ")
}

// limited reports whether the failure of a dial is a limit of the generator.
// An address of a family that this machine does not have is no lack of ports.
func (a *addresses) limited(i int, errno syscall.Errno) bool {
	switch errno {
	case unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM:
		return true
	case unix.EADDRNOTAVAIL:
		return a.local[i]
	}
	return false
}

// socketAddress returns an address as system calls take it, and its family.
func socketAddress(at netip.AddrPort) (unix.Sockaddr, int) {
	ip := at.Addr()
	if ip.Is4() {
		return &unix.SockaddrInet4{Port: int(at.Port()), Addr: ip.As4()}, unix.AF_INET
	}
	to := &unix.SockaddrInet6{Port: int(at.Port()), Addr: ip.As16()}
	if zone, err := net.InterfaceByName(ip.Zone()); err == nil {
		to.ZoneId = uint32(zone.Index)
	}
	return to, unix.AF_INET6
}
