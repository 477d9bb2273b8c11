package fleet

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"switchback/edge/ring"
)

// Change is what happens to a list of servers; the zero value is nothing.
type Change struct {
	Add      []string // "IP:PORT=WEIGHT"
	Remove   []string // "IP:PORT"
	Reweight []string // "IP:PORT=WEIGHT"; weight 0 drains the server
}

// Apply returns the list after the change; the list given stays as it is. It
// fails on a server to add that is there, and on one to remove or reweight
// that is not.
func (c Change) Apply(servers []ring.Server) ([]ring.Server, error) {
	changed := slices.Clone(servers)
	for _, text := range c.Remove {
		i, _, err := find(changed, text)
		if err != nil {
			return nil, fmt.Errorf("remove: %w", err)
		}
		changed = slices.Delete(changed, i, i+1)
	}
	for _, text := range c.Reweight {
		addr, weight, err := parseWeighted(text, 0)
		if err != nil {
			return nil, fmt.Errorf("reweight: %w", err)
		}
		i, _, err := find(changed, addr)
		if err != nil {
			return nil, fmt.Errorf("reweight: %w", err)
		}
		changed[i].Weight = weight
	}
	for _, text := range c.Add {
		name, weight, err := parseWeighted(text, 1)
		if err != nil {
			return nil, fmt.Errorf("add: %w", err)
		}
		i, addr, err := find(changed, name)
		if i >= 0 {
			return nil, fmt.Errorf("add: server %s is there already", name)
		}
		if !addr.IsValid() {
			return nil, fmt.Errorf("add: %w", err)
		}
		changed = append(changed, ring.Server{Addr: addr, Weight: weight})
	}
	return changed, nil
}

// find returns the index of the server with an address, which is -1 with an
// error when there is none.
func find(servers []ring.Server, text string) (int, netip.AddrPort, error) {
	addr, err := netip.ParseAddrPort(text)
	if err != nil {
		return -1, addr, fmt.Errorf("server %q is not IP:PORT", text)
	}
	i := slices.IndexFunc(servers, func(s ring.Server) bool { return s.Addr == addr })
	if i < 0 {
		return -1, addr, fmt.Errorf("no server %s in the list", text)
	}
	return i, addr, nil
}

func parseWeighted(text string, least int) (addr string, weight int, err error) {
	addr, digits, ok := strings.Cut(text, "=")
	weight, err = strconv.Atoi(digits)
	if !ok || err != nil || weight < least {
		return "", 0, fmt.Errorf("%q is not IP:PORT=WEIGHT with a weight from %d on", text, least)
	}
	return addr, weight, nil
}
