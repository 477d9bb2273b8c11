package arm

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Outside is a server that answers at a command's address, though the command did not
// start it as a process of its own, as with docker or systemctl.
type Outside struct {
	Address string // that it serves
	PID     int    // 0: not known, as for a port that the kernel forwards
	Name    string // of the process
}

// String says who it is, what is not shown of it, and what to do about that.
func (o Outside) String() string {
	who := "no process that can be seen"
	if o.PID != 0 {
		who = fmt.Sprintf("process %d (%s)", o.PID, o.Name)
	}
	return fmt.Sprintf("%s is served by %s, outside the command's tree, so its CPU and memory are not shown: "+
		"to see them, make it a url arm with the server's pid, pidfile or cgroup, which setup starts and teardown ends", o.Address, who)
}

// outside returns who serves address if no process of the tree does, nil
// otherwise and where that can't be told. The tree is asked for after the sockets
// were read, so that a worker which has just opened its own is in it.
func (n network) outside(address string, tree func() []int) (*Outside, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, nil // a name: never of a command
	}
	sockets, err := n.listeners()
	if err != nil {
		return nil, err
	}
	pids := tree()
	own, all, err := n.socketsOf(pids)
	if err != nil || !all || n.elsewhere(pids) {
		return nil, err
	}
	serving := servingAt(sockets, at)
	foreign := slices.IndexFunc(serving, func(s socket) bool { return !own[s.inode] })
	switch {
	case len(serving) == 0:
		return &Outside{Address: address}, nil
	case foreign < 0:
		return nil, nil
	}
	o := n.holder(serving[foreign].inode)
	o.Address = address
	return &o, nil
}

// servingAt returns the sockets that take connections to an address: those of
// that very address before those of all addresses.
func servingAt(sockets []socket, at netip.AddrPort) []socket {
	var exact, all []socket
	for _, s := range sockets {
		switch ip := s.at.Addr(); {
		case s.at == at:
			exact = append(exact, s)
		case s.at.Port() == at.Port() && (ip == netip.IPv6Unspecified() || ip == netip.IPv4Unspecified() && at.Addr().Is4()):
			all = append(all, s)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return all
}

// elsewhere tells whether a process lives in another network than ours, whose
// sockets our tables don't show.
func (n network) elsewhere(pids []int) bool {
	ours, _ := os.Readlink(filepath.Join(string(n), "self/ns/net"))
	return slices.ContainsFunc(pids, func(pid int) bool {
		theirs, err := os.Readlink(filepath.Join(string(n), strconv.Itoa(pid), "ns/net"))
		return err == nil && theirs != ours
	})
}

// holder returns a process that holds a socket open; the zero value for none
// that shows its files.
func (n network) holder(inode string) Outside {
	entries, _ := os.ReadDir(string(n)) // without it nobody is known
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if sockets, _, err := n.socketsOf([]int{pid}); err != nil || !sockets[inode] {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(string(n), e.Name(), "comm"))
		return Outside{PID: pid, Name: printable([]byte(strings.TrimSpace(string(name))))}
	}
	return Outside{}
}
