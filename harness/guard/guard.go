// Package guard stands in front of the listeners of this machine. A web page
// from anywhere can make a browser here send requests to them; the guard lets
// a request pass only if it names the listener by a name of its own and no page
// elsewhere made it. Content listeners have no guard: every Host is their input.
package guard

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Hosts are the names that a listener answers beside loopback names and the
// address it was reached at, such as the name of a forwarded port. The zero value
// holds no names.
type Hosts []string

// Check returns an error about the first entry that is not a name or an IP address.
func (h Hosts) Check() error {
	for _, name := range h {
		if _, err := netip.ParseAddr(name); err != nil && (name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-._") != "") {
			return fmt.Errorf("host %.100q: expected a name or an IP address, without a port", name)
		}
	}
	return nil
}

// Only lets requests pass whose Host the listener answers. A page elsewhere
// would come through a name of its own that it makes resolve to this machine.
func (h Hosts) Only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.answers(r) {
			refuse(w, http.StatusForbidden, fmt.Sprintf("this server does not answer for the host %.100q, only for loopback names; --allow-host NAME adds one", r.Host))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Scraped is Only, but for GET /metrics of a listener that was opened to a
// network: Prometheus asks for it by the name that it knows.
func (h Hosts) Scraped(listener net.Listener, next http.Handler) http.Handler {
	only := h.Only(next)
	if isLoopback(listener.Addr().String()) {
		return only
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == "/metrics" {
			next.ServeHTTP(w, r)
			return
		}
		only.ServeHTTP(w, r)
	})
}

func (h Hosts) answers(r *http.Request) bool {
	name := nameOf(r.Host)
	for _, allowed := range h {
		if strings.EqualFold(name, allowed) {
			return true
		}
	}
	ip, err := netip.ParseAddr(name)
	if err != nil {
		return strings.EqualFold(name, "localhost")
	}
	return ip.Unmap().IsLoopback() || ip.Unmap() == reachedAt(r)
}

// nameOf returns a Host header without its port.
func nameOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// reachedAt returns the address at which a request reached this machine.
func reachedAt(r *http.Request) netip.Addr {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return netip.Addr{}
	}
	port, _ := netip.ParseAddrPort(at.String())
	return port.Addr().Unmap().WithZone("")
}

func refuse(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": reason}) // the requester went away
}
