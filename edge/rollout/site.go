package rollout

import "strings"

// Site returns whose a hostname is: the project's name for a hostname under
// suffix ("2b469e16.example.pages.dev" and "example.pages.dev" are
// "example"), else the hostname itself, a custom domain. A port, a trailing
// dot and upper case don't matter. It allocates only for upper case.
func Site(host, suffix string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.Contains(host[i:], "]") {
		host = host[:i]
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	under, ok := strings.CutSuffix(host, suffix)
	if !ok || !strings.HasSuffix(under, ".") {
		return host
	}
	under = under[:len(under)-1]
	return under[strings.LastIndexByte(under, '.')+1:]
}
