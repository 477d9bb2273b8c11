package arm

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"switchback/results/record"
)

// network is what procfs, mounted at this path, says of sockets.
type network string

// ownNetwork is the network of this machine.
const ownNetwork network = "/proc"

// socket is one that listens by TCP.
type socket struct {
	at    netip.AddrPort
	inode string
}

// listening returns the addresses that the processes of a command listen on.
func (p *process) listening() ([]string, error) {
	return ownNetwork.listening(Descendants(p.cmd.Process.Pid))
}

// listening returns the addresses that processes listen on by TCP, as a client
// on this machine dials them, by port. Its error is that of a limit; what can't
// be read otherwise listens on nothing.
func (n network) listening(pids []int) ([]string, error) {
	own, _, err := n.socketsOf(pids)
	if err != nil || len(own) == 0 { // before the tables are read, which are long on a busy machine
		return nil, err
	}
	all, err := n.listeners()
	var found []netip.AddrPort
	for _, s := range all {
		if own[s.inode] {
			found = append(found, s.dialled()...)
		}
	}
	slices.SortStableFunc(found, func(a, b netip.AddrPort) int { return int(a.Port()) - int(b.Port()) })
	var texts []string
	for _, at := range found {
		if text := at.String(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts, err
}

// dialled returns the addresses at which a client on this machine reaches s.
// All addresses of IPv6 may mean those of IPv4 too.
func (s socket) dialled() []netip.AddrPort {
	four := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), s.at.Port())
	switch ip := s.at.Addr(); {
	case ip == netip.IPv4Unspecified():
		return []netip.AddrPort{four}
	case ip == netip.IPv6Unspecified():
		return []netip.AddrPort{four, netip.AddrPortFrom(netip.IPv6Loopback(), s.at.Port())}
	}
	return []netip.AddrPort{s.at}
}

// listeners returns all sockets that listen by TCP.
func (n network) listeners() ([]socket, error) {
	var all []socket
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(filepath.Join(string(n), "self/net", table))
		if err = unlessUnseen(err); err != nil {
			return nil, err
		}
		for _, line := range strings.Split(string(text), "\n") {
			if s, ok := listener(line); ok {
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// socketsOf returns the inodes of the processes' open sockets. All is false when
// a process that runs does not show its files.
func (n network) socketsOf(pids []int) (inodes map[string]bool, all bool, err error) {
	inodes, all = map[string]bool{}, true
	for _, pid := range pids {
		dir := filepath.Join(string(n), strconv.Itoa(pid), "fd")
		files, err := os.ReadDir(dir)
		if limited := unlessUnseen(err); limited != nil {
			return nil, false, limited
		}
		all = all && !errors.Is(err, fs.ErrPermission)
		for _, f := range files {
			link, err := os.Readlink(filepath.Join(dir, f.Name()))
			if inode, isSocket := strings.CutPrefix(link, "socket:["); err == nil && isSocket {
				inodes[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	return inodes, all, nil
}

// unlessUnseen returns err where a limit kept us from looking; a process that has
// ended or belongs to someone else, and a machine without IPv6, show nothing.
func unlessUnseen(err error) error {
	if _, met := record.LimitOf(err); met {
		return record.ExplainLimit(fmt.Errorf("looking for the server's port: %w", err))
	}
	return nil
}

// listener reads a line of /proc/net/tcp or tcp6: the address and inode of a
// socket that listens (state 0A).
func listener(line string) (s socket, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 10 || fields[3] != "0A" {
		return s, false
	}
	text, port, _ := strings.Cut(fields[1], ":")
	ip, err := kernelAddress(text)
	number, bad := strconv.ParseUint(port, 16, 16)
	if err != nil || bad != nil {
		return s, false
	}
	return socket{netip.AddrPortFrom(ip, uint16(number)), fields[9]}, true
}

// kernelAddress reads an address as the kernel prints it: words of 32 bits in
// the machine's own order.
func kernelAddress(text string) (netip.Addr, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 4 && len(raw) != 16 {
		return netip.Addr{}, fmt.Errorf("address %q of a socket", text)
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	ip, _ := netip.AddrFromSlice(raw)
	return ip.Unmap(), nil
}
