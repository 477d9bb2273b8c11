package targets

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// ParseURL returns the target that asks for a URL, and the URL: any status below
// 400 is right, and any body.
func ParseURL(text string) (Target, *url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return Target{}, nil, fmt.Errorf("URL %.80q: want http://HOST[:PORT]/PATH or https://…", text)
	}
	if u.User != nil {
		return Target{}, nil, errors.New("a URL with a user and a password: write them as an Authorization field") // not shown: it is a secret
	}
	t := Target{Host: withoutZone(u.Host), Path: u.RequestURI(), Bytes: -1}
	if !IsHost(t.Host) {
		return Target{}, nil, fmt.Errorf("URL %.80q: %.80q is no hostname that can be asked", text, t.Host)
	}
	return t, u, t.Check()
}

// withoutZone cuts the zone off an address in brackets: it names an interface of
// this machine, and is for connecting alone (RFC 6874).
func withoutZone(host string) string {
	before, rest, ok := strings.Cut(host, "%")
	_, after, closed := strings.Cut(rest, "]")
	if !ok || !closed || !strings.HasPrefix(before, "[") {
		return host
	}
	return before + "]" + after
}
