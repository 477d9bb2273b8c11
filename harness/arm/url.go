package arm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"switchback/regular"
)

// URL is a server that runs already; nothing is started or stopped.
type URL struct {
	URL      string        // http://127.0.0.1:8080, or https
	PID      int           // root of its process tree; 0: not known
	PIDFile  string        // file with that number; "": none
	Cgroup   string        // folder of its cgroup, instead of a process; "": none
	Program  string        // path of the switchback binary, which keeps the commands
	Setup    string        // command before it is attached to
	Teardown string        // command after
	Within   time.Duration // to give a good answer; default 10 s
	Probe    Probe         // nil: no question asked
}

// ParseURL returns the host:port that a URL arm serves traffic on, and whether
// it speaks TLS there.
func ParseURL(raw string) (address string, tls bool, err error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.User != nil {
		return "", false, fmt.Errorf("expected a URL such as http://127.0.0.1:8080, without path, got %.80q", raw)
	}
	port := u.Port()
	if tls = u.Scheme == "https"; port == "" {
		port = map[bool]string{false: "80", true: "443"}[tls]
	}
	return net.JoinHostPort(u.Hostname(), port), tls, nil
}

// Launch checks that the server answers and finds its processes.
func (u URL) Launch(ctx context.Context) (*Instance, error) {
	address, tls, err := ParseURL(u.URL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := withDeadline(ctx, u.Within, 10*time.Second)
	defer cancel()
	h := u.hooks(address)
	if u.Setup != "" {
		if _, err := h.run(ctx, u.Setup); err != nil {
			return nil, setupFailed(fmt.Errorf("setup: %w", err))
		}
	}
	i, err := u.attach(ctx, address)
	if err != nil {
		return nil, errors.Join(err, h.end())
	}
	i.hooks, i.TLS = h, tls
	return i, nil
}

func (u URL) attach(ctx context.Context, address string) (*Instance, error) {
	if u.Probe != nil {
		if err := answer(ctx, nil, address, u.Probe); err != nil {
			return nil, fmt.Errorf("asking %s: %w", u.URL, err)
		}
	}
	pid, err := u.pid()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(u.Cgroup); u.Cgroup != "" && err != nil {
		return nil, fmt.Errorf("looking for the cgroup: %w", err)
	}
	return &Instance{Address: address, PID: pid, Own: true, Cgroup: u.Cgroup}, nil
}

// hooks runs the arm's commands where the harness runs.
func (u URL) hooks(address string) *hooks {
	_, port, _ := net.SplitHostPort(address) // it was parsed
	number, _ := strconv.Atoi(port)
	return &hooks{place: &place{Port: number, program: u.Program, pid: u.PID}, teardown: u.Teardown}
}

// readPIDFile reads the start of a file, which is enough for a number.
func readPIDFile(path string) ([]byte, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, 64))
}

// pid returns the root of the server's process tree, which must run.
func (u URL) pid() (int, error) {
	pid := u.PID
	if u.PIDFile != "" {
		text, err := readPIDFile(u.PIDFile)
		if err != nil {
			return 0, fmt.Errorf("reading the pid file: %w", err)
		}
		if pid, err = strconv.Atoi(strings.TrimSpace(string(text))); err != nil || pid < 1 {
			return 0, fmt.Errorf("pid file %s: expected the number of a process, got %.40q", u.PIDFile, text)
		}
	}
	if pid == 0 {
		return 0, nil
	}
	if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err != nil {
		return 0, fmt.Errorf("process %d does not run", pid)
	}
	return pid, nil
}
