package arm

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"switchback/results/record"
)

// refusing is a listen that fails with an error for addresses with a text.
func refusing(text string, err error) listenFunc {
	return func(network, address string) (net.Listener, error) {
		if strings.Contains(address, text) {
			return nil, &net.OpError{Op: "listen", Err: os.NewSyscallError("bind", err)}
		}
		return net.Listen(network, address)
	}
}

// A port is free on both loopbacks, or on the only one that there is. That none
// is free, or no descriptor, is a limit of this machine with its advice.
func TestFreePorts(t *testing.T) {
	for about, c := range map[string]struct {
		listen listenFunc
		hosts  int
		limit  string
	}{
		"IPv4 alone":      {refusing("::1", syscall.EADDRNOTAVAIL), 1, ""},
		"no IPv6 at all":  {refusing("::1", syscall.EAFNOSUPPORT), 1, ""},
		"no port":         {refusing("127.0.0.1:0", syscall.EADDRINUSE), 0, "no local port was free"},
		"no port on IPv6": {refusing("::1", syscall.EADDRINUSE), 0, "no local port was free"},
		"no descriptor":   {refusing("127.0.0.1", syscall.EMFILE), 0, "ulimit -n"},
	} {
		ports, hosts, err := freePorts(c.listen, 2)
		if _, met := record.LimitOf(err); met != (c.limit != "") || met && !strings.Contains(err.Error(), c.limit) {
			t.Errorf("%s: error %v; want %q", about, err, c.limit)
		}
		if len(hosts) != c.hosts || err == nil && (len(ports) != 2 || ports[0] == ports[1]) {
			t.Errorf("%s: ports %v on %v", about, ports, hosts)
		}
	}
}

// A port that is taken on ::1 is not given to an arm, which may listen there; it
// is not tried again either.
func TestAPortThatIsHalfTaken(t *testing.T) {
	taken := map[string]bool{}
	listen := func(network, address string) (net.Listener, error) {
		l, err := net.Listen(network, address)
		if taken[address] {
			t.Errorf("%s is tried again", address)
		}
		if err == nil && strings.HasPrefix(address, "[::1]") && len(taken) < 20 {
			taken[address] = true
			l.Close()
			return nil, os.NewSyscallError("bind", syscall.EADDRINUSE)
		}
		return l, err
	}
	ports, hosts, err := freePorts(listen, 1)
	if err != nil || len(ports) != 1 {
		t.Fatalf("freePorts = %v, %v", ports, err)
	}
	if slices.Contains(hosts, "::1") && taken[fmt.Sprintf("[::1]:%d", ports[0])] {
		t.Errorf("port %d is given, which is taken on ::1", ports[0])
	}
}
