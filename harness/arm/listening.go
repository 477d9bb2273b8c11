package arm

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Listening returns the addresses that processes listen on by TCP, as a client
// on this machine dials them, by port.
func Listening(pids []int) []string {
	sockets := map[string]bool{}
	for _, pid := range pids {
		for _, inode := range socketsOf(pid) {
			sockets[inode] = true
		}
	}
	var found []netip.AddrPort
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		text, _ := os.ReadFile(table) // a machine without IPv6 has one table
		for _, line := range strings.Split(string(text), "\n") {
			if address, inode, ok := listener(line); ok && sockets[inode] && !slices.Contains(found, address) {
				found = append(found, address)
			}
		}
	}
	slices.SortFunc(found, func(a, b netip.AddrPort) int { return int(a.Port()) - int(b.Port()) })
	all := make([]string, len(found))
	for i, address := range found {
		all[i] = address.String()
	}
	return all
}

// socketsOf returns the inodes of a process's open sockets.
func socketsOf(pid int) []string {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	files, _ := os.ReadDir(dir) // it may have ended
	var inodes []string
	for _, f := range files {
		link, err := os.Readlink(filepath.Join(dir, f.Name()))
		if inode, isSocket := strings.CutPrefix(link, "socket:["); err == nil && isSocket {
			inodes = append(inodes, strings.TrimSuffix(inode, "]"))
		}
	}
	return inodes
}

// listener reads a line of /proc/net/tcp or tcp6: the address and inode of a
// socket that listens (state 0A).
func listener(line string) (address netip.AddrPort, inode string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 10 || fields[3] != "0A" {
		return address, "", false
	}
	text, port, _ := strings.Cut(fields[1], ":")
	ip, err := kernelAddress(text)
	number, bad := strconv.ParseUint(port, 16, 16)
	if err != nil || bad != nil {
		return address, "", false
	}
	return netip.AddrPortFrom(ip, uint16(number)), fields[9], true
}

// kernelAddress reads an address as the kernel prints it: words of 32 bits in
// the machine's own order. All addresses of the machine are its loopback one.
func kernelAddress(text string) (netip.Addr, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 4 && len(raw) != 16 {
		return netip.Addr{}, fmt.Errorf("address %q of a socket", text)
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	ip, _ := netip.AddrFromSlice(raw)
	if ip = ip.Unmap(); ip.IsUnspecified() {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil
	}
	return ip, nil
}
