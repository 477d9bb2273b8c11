package load_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// The tests of this file run again in a process of their own, which has less
// of something than this one: limitServer names the server that it asks.
const limitServer = "SWITCHBACK_TEST_LIMIT_SERVER"

// again runs the test in a child, and reports whether this is the parent.
func again(t *testing.T, server string, attributes *syscall.SysProcAttr) bool {
	t.Helper()
	if os.Getenv(limitServer) != "" {
		return false
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=1m")
	child.Env = append(os.Environ(), limitServer+"="+server)
	child.SysProcAttr = attributes
	out, err := child.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !asExit(err, &exit) {
		t.Skipf("this machine starts no such process: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return true
}

func asExit(err error, exit **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*exit = e
	return ok
}

// slow answers after the requests of a burst have all arrived.
func slow(w http.ResponseWriter, _ *http.Request) { time.Sleep(100 * time.Millisecond) }

// sendBurst sends n requests at once on as many connections, of which some must
// fail for the limit, as that alone.
func sendBurst(t *testing.T, kind, address, limit string, n int) {
	t.Helper()
	engine := openAt(t, kind, load.Options{Address: address, Connections: n, Pooling: load.PoolNone})
	samples := make([]record.Sample, n)
	counts, err := engine.Run(context.Background(), time.Now(), make([]time.Duration, n), slices.Repeat([]targets.Target{get(200)}, n), samples)
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i, s := range samples {
		switch {
		case s.Error == record.ErrLimit && s.Sent == record.Never:
			failed++
		case s.Error != record.OK:
			t.Errorf("%s, request %d: %v", kind, i, s.Error)
		}
	}
	if failed == 0 || failed == n || counts.Limits[limit] != failed || len(counts.Limits) != 1 || counts.DialErrors != nil {
		t.Errorf("%s: %d of %d failed for the limit, counts %+v", kind, failed, n, counts)
	}
}

func TestTooFewDescriptorsAreTheGeneratorsLimit(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(slow))
	defer server.Close()
	if again(t, strings.TrimPrefix(server.URL, "http://"), nil) {
		return
	}
	was := unix.Rlimit{}
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 40, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	for _, kind := range kinds {
		sendBurst(t, kind, os.Getenv(limitServer), "too many open files", 100)
	}
}

// TestTooFewPortsAreTheGeneratorsLimit runs in a network of its own, which has
// eight local ports. It also has no route to anywhere, which is no limit.
func TestTooFewPortsAreTheGeneratorsLimit(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("a network of its own takes root")
	}
	if again(t, "own", &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}) {
		return
	}
	if err := exec.Command("ip", "link", "set", "lo", "up").Run(); err != nil {
		t.Skipf("no loopback: %v", err)
	}
	if err := os.WriteFile("/proc/sys/net/ipv4/ip_local_port_range", []byte("20000 20007"), 0o644); err != nil {
		t.Skip(err)
	}
	server := httptest.NewServer(http.HandlerFunc(slow))
	defer server.Close()
	for _, kind := range kinds {
		sendBurst(t, kind, strings.TrimPrefix(server.URL, "http://"), "cannot assign requested address", 30)
		samples, counts := run(t, openAt(t, kind, load.Options{Address: "192.0.2.1:80"}), get(200))
		if samples[0].Error != record.ErrDial || counts.DialErrors["192.0.2.1:80: network is unreachable"] != 1 || counts.Limits != nil {
			t.Errorf("%s, no route: %v, counts %+v", kind, samples[0].Error, counts)
		}
	}
}
