package arm

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// ParseProfileURL returns where net/http/pprof serves the profiles of an arm:
// a URL of http or https whose path ends in a slash; /debug/pprof/ is the
// default. It must be on loopback, or on the host (a name or an address) that
// serves the arm's traffic: nobody else is asked.
func ParseProfileURL(raw, host string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("expected the URL of net/http/pprof such as http://127.0.0.1:6060/debug/pprof/, got %.80q", raw)
	}
	if !loopback(u.Hostname()) && u.Hostname() != host {
		return nil, fmt.Errorf("%s is neither on loopback nor the arm's own host", u.Host)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/debug/pprof"
	}
	u.Path = strings.TrimRight(u.Path, "/") + "/"
	return u, nil
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// Words replaces the words in braces of a text, as in the arm's command.
func (i *Instance) Words(text string) string {
	if i.hooks == nil {
		return text
	}
	return i.hooks.place.words(text)
}
