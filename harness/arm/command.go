package arm

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"text/template"
	"time"
)

// Command starts a server of the user's own, under a keeper.
type Command struct {
	Program string            // path of the switchback binary, which is the keeper
	Run     string            // shell words; {port}, {dir} and {origin} are replaced
	Env     map[string]string // further variables
	Files   map[string]string // name below {dir} → text/template with Port, Dir, Origin
	Ready   string            // tcp (default), an HTTP path, or "output: TEXT"
	Within  time.Duration     // to be ready; default 10 s
	Stop    string            // signal; default TERM
	Grace   time.Duration     // before KILL; default 5 s
	Origin  string            // host:port, for {origin}
	CPUs    []int             // CPUs it may use; nil for all
	Probe   Probe             // the first good answer; nil: ready is enough
}

// place is what templates and {words} may name.
type place struct {
	Port   int
	Dir    string
	Origin string
}

// Launch starts the command in an empty folder of its own.
func (c Command) Launch(ctx context.Context) (*Instance, error) {
	ctx, cancel := withDeadline(ctx, c.Within, 10*time.Second)
	defer cancel()
	signal, err := stopSignal(c.Stop)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "switchback-arm-")
	if err != nil {
		return nil, fmt.Errorf("making the arm's folder: %w", err)
	}
	i, err := c.launch(ctx, dir, stopRule{signal: signal, grace: c.grace() + time.Second})
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("starting %q: %w", c.Run, err)
	}
	i.cleanup = func() { os.RemoveAll(dir) }
	return i, nil
}

func (c Command) launch(ctx context.Context, dir string, rule stopRule) (*Instance, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	at := place{Port: port, Dir: dir, Origin: c.Origin}
	if err := c.render(at); err != nil {
		return nil, err
	}
	began := time.Now()
	p, err := start(spawn{argv: c.argv(at), dir: dir, env: c.environment(), cpus: c.CPUs})
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort("127.0.0.1", fmt.Sprint(port))
	err = poll(ctx, p, func() (bool, error) { return c.isReady(ctx, p, address), nil })
	if err == nil && c.Probe != nil {
		err = answer(ctx, p, address, c.Probe)
	}
	if err != nil {
		note := strings.Join(p.stderr.lines(), "\n  ")
		p.stop(rule)
		if note != "" && p.err == nil {
			return nil, fmt.Errorf("%w; its last lines:\n  %s", err, note)
		}
		return nil, err
	}
	return &Instance{Address: address, PID: p.cmd.Process.Pid, Startup: time.Since(began), process: p, stop: rule}, nil
}

// argv is the keeper's command line: the shell gives the user's words their
// usual meaning and is replaced by them.
func (c Command) argv(at place) []string {
	words := strings.NewReplacer("{port}", fmt.Sprint(at.Port), "{dir}", at.Dir, "{origin}", at.Origin).Replace(c.Run)
	return []string{c.Program, "keeper", "--parent-fd", fmt.Sprint(parentFD), "--grace", c.grace().String(), "--", "/bin/sh", "-c", "exec " + words}
}

func (c Command) grace() time.Duration {
	if c.Grace == 0 {
		return 5 * time.Second
	}
	return c.Grace
}

func (c Command) environment() []string {
	var env []string
	for name, value := range c.Env {
		env = append(env, name+"="+value)
	}
	sort.Strings(env)
	return env
}

// render writes the files from their templates.
func (c Command) render(at place) error {
	for name, text := range c.Files {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("files: %q is not below the arm's folder", name)
		}
		t, err := template.New(name).Option("missingkey=error").Parse(text)
		if err != nil {
			return fmt.Errorf("files: reading template: %w", err)
		}
		path := filepath.Join(at.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("files: %w", err)
		}
		if err := renderFile(t, path, at); err != nil {
			return fmt.Errorf("files: rendering %q: %w", name, err)
		}
	}
	return nil
}

func renderFile(t *template.Template, path string, at place) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := t.Execute(f, at); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// isReady looks once whether the server is ready.
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

// freePort returns a loopback port that nobody listened on a moment ago.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// stopSignal returns one of the signals that the keeper passes on.
func stopSignal(name string) (syscall.Signal, error) {
	switch name {
	case "", "TERM":
		return syscall.SIGTERM, nil
	case "INT":
		return syscall.SIGINT, nil
	case "QUIT":
		return syscall.SIGQUIT, nil
	}
	return 0, fmt.Errorf("stop: %q; expected TERM, INT or QUIT", name)
}
