package arm

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeNetwork is a made-up /proc: tables of sockets and the processes that hold
// them.
func fakeNetwork(t *testing.T, tcp, tcp6 []string, sockets map[string][]string) network {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	write("self/net/tcp", strings.Join(tcp, "\n"))
	write("self/net/tcp6", strings.Join(tcp6, "\n"))
	link("net:[1]", "self/ns/net")
	for pid, inodes := range sockets {
		space := "net:[1]"
		for i, inode := range inodes {
			if strings.HasPrefix(inode, "net:") {
				space = inode
				continue
			}
			link("socket:["+inode+"]", filepath.Join(pid, "fd", string(rune('3'+i))))
		}
		link(space, pid+"/ns/net")
		write(pid+"/comm", "server"+pid+"\n")
	}
	return network(dir)
}

// line is one of /proc/net/tcp or tcp6: a socket that listens.
func line(address, inode string) string {
	return "0: " + address + " 00000000:0000 0A 0:0 0:0 0 0 0 " + inode + " 1"
}

// Addresses as the kernel prints them.
const (
	loopback4 = "0100007F:1F90" // 127.0.0.1:8080
	any4      = "00000000:1F90"
	loopback6 = "00000000000000000000000001000000:1F90"
	any6      = "00000000000000000000000000000000:1F90"
)

func TestListenerLines(t *testing.T) {
	for text, want := range map[string]string{
		line(loopback4, "4242"): "127.0.0.1:8080",
		line(any4, "4242"):      "0.0.0.0:8080",
		line(any6, "4242"):      "[::]:8080",
		line(loopback6, "4242"): "[::1]:8080",
		"0: 0100007F:1F90 0100007F:1F91 01 0:0 0:0 0 0 0 4242 1":                                           "",
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode": "",
	} {
		s, ok := listener(text)
		if ok != (want != "") || ok && (s.at.String() != want || s.inode != "4242") {
			t.Errorf("%q: %+v %v, want %s", text, s, ok, want)
		}
	}
}

// A server is found wherever it listens: one that has all addresses of IPv6 may
// not have those of IPv4, so both are tried.
func TestListeningAddresses(t *testing.T) {
	n := fakeNetwork(t, []string{line(loopback4, "1"), line(any4, "2"), line("0100007F:0050", "3")},
		[]string{line(loopback6, "4"), line(any6, "5")}, map[string][]string{"10": {"1"}, "11": {"2", "3"}, "12": {"4"}, "13": {"5"}})
	for _, c := range []struct {
		pids []int
		want []string
	}{
		{[]int{10}, []string{"127.0.0.1:8080"}}, {[]int{11}, []string{"127.0.0.1:80", "127.0.0.1:8080"}},
		{[]int{12}, []string{"[::1]:8080"}}, {[]int{13}, []string{"127.0.0.1:8080", "[::1]:8080"}}, {[]int{99}, nil},
	} {
		if got, err := n.listening(c.pids); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("processes %v listen on %v, %v; want %v", c.pids, got, err, c.want)
		}
	}
}

// Whoever listens on the arm's port and is no process of its tree serves from
// outside; what can't be told counts as inside.
func TestWhoServesFromOutside(t *testing.T) {
	held := map[string][]string{"10": {"1"}, "11": {"9"}, "12": {"net:[2]"}, "13": {}}
	for _, c := range []struct {
		about      string
		tcp, tcp6  string
		tree       []int
		pid        int // of the one outside
		isOutside  bool
		addressing string
	}{
		{"its own", line(loopback4, "1"), "", []int{10}, 0, false, "127.0.0.1:8080"},
		{"its worker's", line(any4, "1"), "", []int{13, 10}, 0, false, "127.0.0.1:8080"},
		{"all addresses of IPv6", "", line(any6, "1"), []int{10}, 0, false, "127.0.0.1:8080"},
		{"another process", line(loopback4, "9"), "", []int{10}, 11, true, "127.0.0.1:8080"},
		{"another beside its own", line(loopback4, "1") + "\n" + line(loopback4, "9"), "", []int{10}, 11, true, "127.0.0.1:8080"},
		{"another, nearer than its own", line(loopback4, "9"), line(any6, "1"), []int{10}, 11, true, "127.0.0.1:8080"},
		{"another, at the other family", line(loopback4, "9"), line(loopback6, "1"), []int{10}, 0, false, "[::1]:8080"},
		{"nobody that can be seen", "", "", []int{10}, 0, true, "127.0.0.1:8080"},
		{"one whose files are hidden", line(loopback4, "77"), "", []int{10}, 0, true, "127.0.0.1:8080"},
		{"its own, in another network", "", "", []int{12}, 0, false, "127.0.0.1:8080"},
	} {
		n := fakeNetwork(t, []string{c.tcp}, []string{c.tcp6}, held)
		o, err := n.outside(c.addressing, func() []int { return c.tree })
		if err != nil || (o != nil) != c.isOutside || o != nil && o.PID != c.pid {
			t.Errorf("%s: %+v, %v; want process %d, outside %v", c.about, o, err, c.pid, c.isOutside)
		}
		if o != nil && c.pid != 0 && !strings.Contains(o.String(), "process 11 (server11)") {
			t.Errorf("%s: %q does not name it", c.about, o)
		}
	}
}
