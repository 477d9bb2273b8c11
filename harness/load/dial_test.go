package load_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"switchback/harness/load"
	"switchback/results/record"
)

// closedPort returns a port that nobody listens on, on either loopback.
func closedPort(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(freePort(t))
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// fullPort returns the address of a listener that takes no more connections:
// dials to it are not answered.
func fullPort(t *testing.T) string {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		t.Cleanup(func() { unix.Close(fd) })
		err = errors.Join(unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), unix.Listen(fd, 0))
	}
	if err != nil {
		t.Fatal(err)
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		waiting, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Close(waiting) })
		if err := unix.Connect(waiting, at); err != nil && err != unix.EINPROGRESS {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("127.0.0.1:%d", at.(*unix.SockaddrInet4).Port)
}

// TestADialErrorKeepsItsReason has connections fail in every way, in both
// engines; the reason names each address that was tried.
func TestADialErrorKeepsItsReason(t *testing.T) {
	port, full := closedPort(t), fullPort(t)
	for _, c := range []struct{ name, address, want string }{
		{"refused", "127.0.0.1:" + port, "127.0.0.1:" + port + ": connection refused"},
		{"refused by both families", "localhost:" + port, "127.0.0.1:" + port + ": connection refused; [::1]:" + port + ": "},
		{"not answered", full, full + ": connection timed out"},
	} {
		for _, kind := range kinds {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				engine := openAt(t, kind, load.Options{Address: c.address, Timeout: 200 * time.Millisecond})
				samples, counts := run(t, engine, get(200), get(200))
				for _, s := range samples {
					if s.Error != record.ErrDial || s.Sent != record.Never || s.Done < s.Released {
						t.Fatalf("%+v (%v)", s, s.Error)
					}
				}
				for reason, n := range counts.DialErrors {
					if !strings.HasPrefix(reason, c.want) || n != 2 {
						t.Errorf("%d × %q, want 2 × %q", n, reason, c.want)
					}
				}
				if len(counts.DialErrors) != 1 || counts.Limits != nil {
					t.Errorf("counts %+v", counts)
				}
			})
		}
	}
}

// TestAFailedHandshakeKeepsItsText has TLS fail by certificate, by an alert of
// the server, and by a server that says nothing.
func TestAFailedHandshakeKeepsItsText(t *testing.T) {
	untrusted := serveTLS(t, false).address()
	refusing := serveTLS(t, false)
	refusing.TLS.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) { return nil, errors.New("no") }
	silent := serveConns(t, func(conn net.Conn, _ int) { _, _ = conn.Read(make([]byte, 1<<16)); _, _ = conn.Read(make([]byte, 1)) }).address
	for _, c := range []struct{ name, address, want string }{
		{"certificate", untrusted, "tls: failed to verify certificate: x509: "},
		{"alert", refusing.address(), "remote error: tls: internal error"},
		{"silence", silent, "TLS handshake timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine := openAt(t, "vegeta", load.Options{Address: c.address, TLS: true, Timeout: time.Second})
			samples, counts := run(t, engine, get(200))
			if samples[0].Error != record.ErrDial || len(counts.DialErrors) != 1 {
				t.Fatalf("%v, counts %+v", samples[0].Error, counts)
			}
			for reason := range counts.DialErrors {
				if !strings.Contains(reason, c.want) {
					t.Errorf("reason %q, want %q", reason, c.want)
				}
			}
		})
	}
}

// TestBothFamiliesAreTried has a server on one loopback address only, and a
// name that has both.
func TestBothFamiliesAreTried(t *testing.T) {
	for _, family := range []string{"127.0.0.1:0", "[::1]:0"} {
		listener, err := net.Listen("tcp", family)
		if err != nil {
			t.Skipf("this machine has no %s: %v", family, err)
		}
		server := &http.Server{Handler: http.HandlerFunc(echo)}
		go server.Serve(listener)
		t.Cleanup(func() { server.Close() })
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		for _, kind := range kinds {
			for _, pooling := range []string{load.PoolShared, load.PoolNone} {
				t.Run(family+"/"+kind+"/"+pooling, func(t *testing.T) {
					engine := openAt(t, kind, load.Options{Address: "localhost:" + port, Pooling: pooling})
					samples, counts := run(t, engine, ask(6)...)
					for i, s := range samples {
						if s.Error != record.OK {
							t.Fatalf("request %d: %v", i, s.Error)
						}
					}
					if counts.DialErrors != nil || pooling == load.PoolNone && counts.Dials != 6 {
						t.Errorf("counts %+v", counts)
					}
				})
			}
		}
	}
}
