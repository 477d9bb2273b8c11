package arm

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// isReady looks once whether the server at address is ready.
func (c Command) isReady(ctx context.Context, p *process, address string) bool {
	switch text, isOutput := strings.CutPrefix(c.Ready, "output:"); {
	case isOutput:
		text = strings.TrimSpace(text)
		all := append(p.stdout.lines(), p.stderr.lines()...)
		return strings.Contains(strings.Join(all, "\n"), text)
	case strings.HasPrefix(c.Ready, "/"):
		return answersPath(ctx, address, c.Ready)
	}
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// answersPath reports whether GET path is answered below 400.
func answersPath(ctx context.Context, address, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		return false
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	return response.StatusCode < 400
}

// await returns the address at which the server is ready and answers well:
// that of its port, or one that its processes listen on.
func (c Command) await(ctx context.Context, p *process, at *place) (address string, err error) {
	var last error // of the first good answer
	err = poll(ctx, p, func() (bool, error) {
		for _, address = range c.candidates(p, at) {
			if !c.isReady(ctx, p, address) {
				continue
			}
			if c.Probe == nil {
				return true, nil
			}
			wrong := c.Probe(ctx, address)
			if wrong == nil {
				return true, nil
			}
			if ctx.Err() == nil { // else it says no more than that time was up
				last = wrong
			}
		}
		return false, nil
	})
	if err != nil && last != nil && ctx.Err() != nil {
		return "", fmt.Errorf("no good answer: %w: %w", context.Cause(ctx), last)
	}
	if err != nil && ctx.Err() != nil {
		return "", fmt.Errorf("%w: %s", err, c.missing(address))
	}
	return address, err
}

// missing says what a server that is not ready lacks; address is the last that
// was tried, "" for none.
func (c Command) missing(address string) string {
	text, isOutput := strings.CutPrefix(c.Ready, "output:")
	switch {
	case address == "":
		return "none of its processes listens on a port"
	case isOutput:
		return fmt.Sprintf("it did not write %q", strings.TrimSpace(text))
	case strings.HasPrefix(c.Ready, "/"):
		return "GET " + c.Ready + " of " + address + " is not answered with a status below 400"
	}
	return "nothing listens on " + address
}

// candidates returns where the server may be found.
func (c Command) candidates(p *process, at *place) []string {
	if c.namesPort(at) {
		return []string{net.JoinHostPort("127.0.0.1", fmt.Sprint(at.Port))}
	}
	return Listening(Descendants(p.cmd.Process.Pid))
}

// namesPort tells whether the server is told its port.
func (c Command) namesPort(at *place) bool {
	named := at.portNamed || strings.Contains(c.Run, "{port}")
	for _, value := range c.Env {
		named = named || strings.Contains(value, "{port}")
	}
	for _, text := range c.Files {
		named = named || strings.Contains(text, ".Port")
	}
	return named
}

// freePorts returns n different loopback ports that nobody listened on a
// moment ago.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("finding a free port: %w", err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
