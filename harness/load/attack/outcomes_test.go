package attack_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"switchback/harness/load"
	"switchback/harness/load/attack"
)

// refusing answers every tenth request with 401, the others with "hello".
func refusing() http.Handler {
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1)%10 == 0 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, "hello")
	})
}

// TestAReportSaysHowRequestsEnded: it said "errors: status 5", and no code.
func TestAReportSaysHowRequestsEnded(t *testing.T) {
	for _, engine := range []string{"wire", "vegeta"} {
		t.Run(engine, func(t *testing.T) {
			r := attackWith(t, attack.Settings{URL: serve(t, refusing()), Rate: 500, Arrivals: "constant", Engine: engine})
			if r.Success != 0.9 || r.StatusCodes["200"] != 45 || r.StatusCodes["401"] != 5 || r.Protocols["HTTP/1.1"] != 50 || r.Bytes.Received != 45*5 {
				t.Errorf("%+v", r)
			}
			want := attack.Reason{Kind: "status", Text: "401 Unauthorized, expected a status below 400", Count: 5}
			if len(r.Reasons) != 1 || r.Reasons[0] != want {
				t.Errorf("reasons %+v", r.Reasons)
			}
			total := int64(0)
			for _, b := range r.Spread {
				total += b.Count
			}
			if total != 45 { // 5 failed
				t.Errorf("%d requests in the buckets %+v", total, r.Spread)
			}
			var text bytes.Buffer
			if err := r.WriteText(&text); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"90 % succeeded; errors: status 5\n", "HTTP/1.1 50; status 200 45, 401 5\n", "\n         5  status: 401 Unauthorized", "\nttfb up to\n"} {
				if !strings.Contains(text.String(), want) {
					t.Errorf("no %q in\n%s", want, &text)
				}
			}
		})
	}
}

// TestOnlyOpenedConnectionsAreCounted: dials that failed were counted as
// connections that were opened.
func TestOnlyOpenedConnectionsAreCounted(t *testing.T) {
	plain := strings.TrimPrefix(serve(t, &asked{}), "http://")
	for _, c := range []struct {
		name, url, engine string
		opened            bool
	}{
		{"wire", "http://" + plain, "wire", true},
		{"vegeta", "http://" + plain, "vegeta", true},
		{"wire, refused", "http://127.0.0.1:1", "wire", false},
		{"vegeta, refused", "http://127.0.0.1:1", "vegeta", false},
		{"a handshake that fails", "https://" + plain, "vegeta", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := attackWith(t, attack.Settings{URL: c.url, Rate: 200, Arrivals: "constant", Engine: c.engine})
			if r.Connections.Dials == 0 || (r.Connections.Opened > 0) != c.opened || r.Connections.Opened > r.Connections.Dials {
				t.Errorf("%+v", r.Connections)
			}
			if !c.opened && len(r.Protocols)+len(r.StatusCodes) > 0 {
				t.Errorf("no answer, but %v, %v", r.Protocols, r.StatusCodes)
			}
		})
	}
}

func TestTheProtocolIsNamed(t *testing.T) {
	server := httptest.NewUnstartedServer(&asked{})
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	r := attackWith(t, attack.Settings{URL: server.URL, Rate: 200, Arrivals: "constant", Options: load.Options{Insecure: true}})
	if r.Protocols["HTTP/2"] != 20 {
		t.Errorf("protocols %v, want 20 answers by HTTP/2; %+v", r.Protocols, r.Reasons)
	}
}

func TestAnOldProtocolIsNamed(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.0 200 OK\r\n\r\nold")
	}))
	for _, engine := range []string{"wire", "vegeta"} {
		if r := attackWith(t, attack.Settings{URL: url, Rate: 200, Arrivals: "constant", Engine: engine}); r.Protocols["HTTP/1.0"] != 20 {
			t.Errorf("%s: protocols %v", engine, r.Protocols)
		}
	}
}
