package guard

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inside is what a guard stands in front of.
func inside(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

// status returns what a handler answers, as reached at an address of this machine.
func status(h http.Handler, r *http.Request, at string) int {
	local, _ := net.ResolveTCPAddr("tcp", at)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local))))
	return w.Code
}

func TestHosts(t *testing.T) {
	h := Hosts{"bench.example", "192.0.2.9"}
	for host, want := range map[string]int{
		"127.0.0.1:7878": 204, "127.9.9.9": 204, "localhost": 204, "LOCALHOST:1": 204, "[::1]:7878": 204, "[::1]": 204, "[::ffff:127.0.0.1]:1": 204,
		"bench.example": 204, "Bench.Example:443": 204, "192.0.2.9:80": 204, "10.1.2.3:9000": 204, "10.1.2.3": 204,
		"evil.example": 403, "evil.example:7878": 403, "": 403, "10.1.2.4": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403,
		"bench.example.evil": 403, "xbench.example": 403, "0.0.0.0:7878": 403, "127.1": 403, "[::1": 204,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		if got := status(h.Only(http.HandlerFunc(inside)), r, "10.1.2.3:9000"); got != want {
			t.Errorf("Host %q: status %d, want %d", host, got, want)
		}
	}
}

func TestHostsAreChecked(t *testing.T) {
	for name, good := range map[string]bool{"bench.example": true, "10.0.0.1": true, "::1": true, "A-b_c": true, "": false, "a:80": false, "http://a": false, "*": false, "a b": false} {
		if err := (Hosts{name}).Check(); (err == nil) != good {
			t.Errorf("%q: %v, want it good: %v", name, err, good)
		}
	}
}

// TestMetricsOfANetwork: Prometheus knows a name of this machine that nobody
// told it.
func TestMetricsOfANetwork(t *testing.T) {
	for _, c := range []struct {
		listen, method, path string
		want                 int
	}{
		{"0.0.0.0:9000", "GET", "/metrics", 204}, {"10.1.2.3:9000", "GET", "/metrics", 204}, {"10.1.2.3:9000", "GET", "/stats", 403},
		{"10.1.2.3:9000", "PUT", "/metrics", 403}, {"127.0.0.1:9000", "GET", "/metrics", 403}, {"[::1]:9000", "GET", "/metrics", 403},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Host = "machine.example"
		if got := status(Hosts(nil).Scraped(listener(c.listen), http.HandlerFunc(inside)), r, c.listen); got != c.want {
			t.Errorf("%+v: status %d", c, got)
		}
	}
}

// listener is one at an address, which is not opened.
type listener string

func (l listener) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (l listener) Close() error              { return nil }
func (l listener) Addr() net.Addr            { return address(l) }

type address string

func (a address) Network() string { return "tcp" }
func (a address) String() string  { return string(a) }

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name, header, value, body string
		want                      int
	}{
		{"a program without a body", "", "", "", 204},
		{"a program", "Content-Type", "application/json", "{}", 204},
		{"a parameter", "Content-Type", "application/json; charset=utf-8", "{}", 204},
		{"what a page may send unasked", "Content-Type", "text/plain", "{}", 415},
		{"a form", "Content-Type", "application/x-www-form-urlencoded", "a=b", 415},
		{"disguised", "Content-Type", "text/plain; application/json", "{}", 415},
		{"no type", "", "", "{}", 415},
		{"its own page", "Origin", "http://127.0.0.1:9000", "", 204},
		{"another page", "Origin", "http://evil.example", "", 403},
		{"another port", "Origin", "http://127.0.0.1:3000", "", 403},
		{"a sandbox", "Origin", "null", "", 403},
		{"a browser's address bar", "Sec-Fetch-Site", "none", "", 204},
		{"its own page's fetch", "Sec-Fetch-Site", "same-origin", "", 204},
		{"a page of another port", "Sec-Fetch-Site", "same-site", "", 403},
		{"a page elsewhere", "Sec-Fetch-Site", "cross-site", "", 403},
	} {
		r := httptest.NewRequest("POST", "/flags", strings.NewReader(c.body))
		r.Host = "127.0.0.1:9000"
		if c.header != "" {
			r.Header.Set(c.header, c.value)
		}
		if got := status(Calls(http.HandlerFunc(inside)), r, "127.0.0.1:9000"); got != c.want {
			t.Errorf("%s: status %d, want %d", c.name, got, c.want)
		}
	}
}

func TestListenOnLoopbackOnlyWithoutAToken(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:0": true, "localhost:0": true, "[::ffff:127.0.0.1]:0": true,
		"0.0.0.0:0": false, ":0": false, "[::]:0": false, "10.0.0.1:0": false, "127.0.0.1": false, "": false,
	} {
		listener, err := Listen(address, "")
		if err == nil {
			listener.Close()
		}
		if (err == nil) != want {
			t.Errorf("%q: %v, want it open: %v", address, err, want)
		}
	}
	listener, err := Listen("0.0.0.0:0", "token")
	if err != nil {
		t.Fatalf("with a token: %v", err)
	}
	listener.Close()
}

func TestToken(t *testing.T) {
	for _, row := range []struct {
		token, header string
		want          int
	}{
		{"", "", 204}, {"t", "", 401}, {"t", "t", 401}, {"t", "Bearer x", 401}, {"t", "Bearer ", 401}, {"t", "Basic t", 401}, {"t", "Bearer t", 204},
	} {
		r := httptest.NewRequest("GET", "/stats", nil)
		r.Header.Set("Authorization", row.header)
		if got := status(Token(row.token, http.HandlerFunc(inside)), r, "127.0.0.1:1"); got != row.want {
			t.Errorf("token %q, header %q: status %d, want %d", row.token, row.header, got, row.want)
		}
	}
}
