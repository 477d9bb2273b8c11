package arm

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"time"
)

// URL is a server that runs already; nothing is started or stopped.
type URL struct {
	URL    string        // http://127.0.0.1:8080
	Within time.Duration // to give a good answer; default 10 s
	Probe  Probe         // nil: no question asked
}

// ParseURL returns the host:port that a URL arm serves traffic on.
func ParseURL(raw string) (address string, err error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("reading url %q: %w", raw, err)
	}
	if u.Scheme != "http" || u.Hostname() == "" || (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.User != nil {
		return "", fmt.Errorf("url %q: expected http://HOST:PORT without path", raw)
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}

// Launch checks that the server answers.
func (u URL) Launch(ctx context.Context) (*Instance, error) {
	address, err := ParseURL(u.URL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := withDeadline(ctx, u.Within, 10*time.Second)
	defer cancel()
	if u.Probe != nil {
		if err := answer(ctx, nil, address, u.Probe); err != nil {
			return nil, fmt.Errorf("asking %s: %w", u.URL, err)
		}
	}
	return &Instance{Address: address}, nil
}
