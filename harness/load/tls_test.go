package load_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// secure is a TLS server that answers with the protocol and notes the names
// that connections were opened for.
type secure struct {
	*httptest.Server
	mu    sync.Mutex
	names map[string]int // SNI → connections
}

func serveTLS(t *testing.T, http2 bool) *secure {
	t.Helper()
	s := &secure{names: map[string]int{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server-Timing", "route;dur=0.1")
		fmt.Fprint(w, r.Proto, " ", r.Host, " ", r.TLS.ServerName)
	}))
	s.EnableHTTP2 = http2
	s.TLS = &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.names[hello.ServerName]++
		return nil, nil
	}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // it would tell of handshakes that are to fail
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *secure) address() string { return strings.TrimPrefix(s.URL, "https://") }

// TestTLSAndHTTP2 asks three hostnames ten times each. Each has connections of
// its own, opened with its name (SNI), whatever the address; where the server
// offers HTTP/2 one connection carries all requests of a name.
func TestTLSAndHTTP2(t *testing.T) {
	for proto, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
		t.Run(proto, func(t *testing.T) {
			server := serveTLS(t, http2)
			engine := openAt(t, "vegeta", load.Options{Address: server.address(), TLS: true, Insecure: true})
			list := hosts(30)
			for i := range list {
				body := proto + " " + list[i].Host + " " + list[i].Host
				list[i].Bytes, list[i].BodyHash = int64(len(body)), checksum(body)
			}
			samples := make([]record.Sample, len(list))
			counts, err := engine.Concurrency(context.Background(), time.Now(), 3, list, samples)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range samples {
				if s.Error != record.OK || string(s.ServerTiming) != "route;dur=0.1" {
					t.Fatalf("sample %d: %v, %d bytes, Server-Timing %q", i, s.Error, s.Bytes, s.ServerTiming)
				}
				if s.Sent < s.Released || s.FirstByte < s.Sent || s.Done < s.FirstByte {
					t.Fatalf("sample %d: instants out of order: %+v", i, s)
				}
			}
			server.checkNames(t, counts, http2)
		})
	}
}

func (s *secure) checkNames(t *testing.T, counts load.Counts, http2 bool) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	connections := 0
	for name, n := range s.names {
		connections += n
		if !strings.HasSuffix(name, ".example") {
			t.Errorf("a connection was opened for %q", name)
		}
	}
	// A dial may end unused, when its request got a connection that had become free: how many do is up to the scheduler.
	if len(s.names) != 3 || connections > counts.Dials || counts.Reused == 0 || counts.Reused < 30-counts.Dials {
		t.Errorf("connections by name %v, counts %+v; want three names, and what was not dialled reused", s.names, counts)
	}
	if http2 && connections > 3*3 { // all three requests in flight may find the first connection of a name still dialling
		t.Errorf("%d connections carry HTTP/2 for three names", connections)
	}
}

// A certificate that is not trusted, and a server that does not speak TLS, are
// connections that could not be opened: nothing was sent.
func TestAHandshakeThatFailsIsADialError(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	untrusted := serveTLS(t, true)
	for name, address := range map[string]string{"certificate": untrusted.address(), "clear text": strings.TrimPrefix(plain.URL, "http://")} {
		t.Run(name, func(t *testing.T) {
			engine := openAt(t, "vegeta", load.Options{Address: address, TLS: true})
			samples, _ := run(t, engine, targets.Target{Host: "a.example", Path: "/", Bytes: -1})
			if s := samples[0]; s.Error != record.ErrDial || s.Sent != record.Never || s.Done < s.Released {
				t.Errorf("%+v (%v)", s, s.Error)
			}
		})
	}
}

func TestWireRefusesTLS(t *testing.T) {
	if _, err := load.New("wire", load.Options{Address: "127.0.0.1:1", TLS: true}); err == nil || !strings.Contains(err.Error(), "use vegeta for https") {
		t.Errorf("error %v", err)
	}
}
