package guard

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Listen opens an admin listener at address (host:port; an IP address or
// localhost). Without a token the address must be a loopback one: the admin
// API changes what is served, and must not be open to a network by accident.
func Listen(address, token string) (net.Listener, error) {
	if token == "" && !isLoopback(address) {
		return nil, fmt.Errorf("admin address %q is not on loopback, which needs a token", address)
	}
	return net.Listen("tcp", address)
}

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// Token lets only requests with the bearer token pass to next; with "" all do.
func Token(token string, next http.Handler) http.Handler {
	if token == "" {
		return next
	}
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		got := sha256.Sum256([]byte(given)) // equal lengths, so that the comparison's time tells nothing
		if !bearer || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "the admin token is missing or wrong")
			return
		}
		next.ServeHTTP(w, r)
	})
}
