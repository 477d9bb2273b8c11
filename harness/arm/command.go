package arm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"switchback/results/record"
)

// Command starts a server of the user's own, under a keeper. In commands and
// variables {port}, {admin_port}, {dir}, {origin}, {cpus}, {build},
// {switchback} and, once it runs, {pid} are replaced. A server that is not
// told its port is found by the sockets that its processes listen on.
type Command struct {
	Program  string            // path of the switchback binary, which is the keeper
	Scratch  string            // folder in which {dir} is made, of the run alone
	Run      string            // shell words
	Cwd      string            // folder in which it runs; default {dir}
	Env      map[string]string // further variables
	Files    map[string]string // name below {dir} → text/template; see ParseFile
	Copies   []string          // files copied to CopyName below {dir}, with their placeholders replaced
	Mark     string            // around the words of Copies in place of braces; see Placeholder
	Content  Content           // what the templates range over; nil: nothing
	Build    string            // path of the program that {build} stands for
	Setup    string            // command before each start
	Teardown string            // command after each stop
	Ready    string            // tcp (default), an HTTP path, or "output: TEXT"
	Within   time.Duration     // to be ready; default 10 s
	Stop     string            // signal; default TERM
	Grace    time.Duration     // before KILL; default 5 s
	Origin   string            // host:port, for {origin}
	CPUs     []int             // CPUs it may use; nil for all
	Cores    int               // how many those are, for {cpus}
	Probe    Probe             // the first good answer; nil: ready is enough
}

// ErrPortTaken is wrapped by the error about a command that is not told its
// port and wants one that another process has.
var ErrPortTaken = errors.New("its port is taken by another process: write {port} where the command or its files name the port, and each arm gets one of its own")

// Launch starts the command in an empty folder of its own.
func (c Command) Launch(ctx context.Context) (*Instance, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	signal, err := stopSignal(c.Stop)
	if err != nil {
		return nil, err
	}
	dir, err := shortFolder(c.Scratch)
	if err != nil {
		return nil, record.ExplainLimit(fmt.Errorf("making the arm's folder: %w", err))
	}
	i, err := c.launch(ctx, dir, stopRule{signal: signal, grace: c.grace() + time.Second})
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("starting %q: %w", c.Run, err)
	}
	i.cleanup = func() { os.RemoveAll(dir) }
	return i, nil
}

// shortFolder makes a folder with a number for its name: it stands in the paths of
// unix sockets, which the kernel bounds at 107 bytes and some servers below that.
func shortFolder(parent string) (string, error) {
	for i := 1; ; i++ {
		dir := filepath.Join(parent, strconv.Itoa(i))
		if err := os.Mkdir(dir, 0o700); !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// deadline bounds the start.
func (c Command) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return withDeadline(ctx, c.Within, 10*time.Second)
}

func (c Command) launch(ctx context.Context, dir string, rule stopRule) (*Instance, error) {
	at, err := c.place(dir)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(at.render(c.Files), at.copyFiles(c.Copies, c.Mark)); err != nil {
		return nil, err
	}
	h := &hooks{place: at, folder: c.folder(dir), env: c.environment(at), teardown: c.Teardown}
	if c.Setup != "" {
		if _, err := h.run(ctx, c.Setup); err != nil {
			return nil, setupFailed(fmt.Errorf("setup: %w", err))
		}
	}
	i, err := c.serve(ctx, at, h, rule)
	if err != nil {
		return nil, errors.Join(err, h.end())
	}
	return i, nil
}

// serve starts the server and waits for its first good answer.
func (c Command) serve(ctx context.Context, at *place, h *hooks, rule stopRule) (*Instance, error) {
	began := time.Now()
	argv := keeperArgs(c.Program, c.grace(), at.Dir, shell(c.line(at))...)
	p, err := start(spawn{argv: argv, dir: h.folder, env: h.env, cpus: c.CPUs})
	if err != nil {
		return nil, err
	}
	address, err := c.await(ctx, p, at)
	if err != nil {
		err = c.explain(err, p, at)
		p.stop(rule)
		return nil, err
	}
	took := time.Since(began)
	below := func() []int { return Descendants(p.cmd.Process.Pid) }
	if tree := below(); len(tree) > 0 {
		at.pid = tree[0]
	}
	outside, err := ownNetwork.outside(address, below)
	if err != nil {
		p.stop(rule)
		return nil, err
	}
	return &Instance{Address: address, PID: p.cmd.Process.Pid, Startup: took, Outside: outside,
		process: p, stop: rule, hooks: h, files: c.Files}, nil
}

// quoted matches what the shell takes as it stands, as in nginx -g 'daemon off;'.
var quoted = regexp.MustCompile(`(?s)'[^']*'|"(?:\\.|[^"\\])*"|\\.`)

// line is what the shell runs. A simple command takes the shell's place, so that
// {pid} is the server; one of several parts needs the shell.
func (c Command) line(at *place) string {
	run := strings.TrimSpace(c.Run)
	first, _, _ := strings.Cut(run, " ")
	if strings.ContainsAny(quoted.ReplaceAllString(run, ""), ";&|()<>\n") || strings.Contains(first, "=") || first == "exec" {
		return at.words(run)
	}
	return "exec " + at.words(run)
}

// explain adds the last lines of a server that did not start, and says so
// where it wanted a port that is taken.
func (c Command) explain(err error, p *process, at *place) error {
	err = withLines(err, p)
	if !c.namesPort(at) && strings.Contains(strings.ToLower(err.Error()), "address already in use") {
		return fmt.Errorf("%w (%w)", ErrPortTaken, err)
	}
	return err
}

// place finds the ports of a start and says what its templates may name.
func (c Command) place(dir string) (*place, error) {
	ports, hosts, err := freePorts(net.Listen, 2)
	if err != nil {
		return nil, err
	}
	at := &place{Port: ports[0], AdminPort: ports[1], hosts: hosts, Dir: dir, Origin: c.Origin, CPUs: c.Cores,
		program: c.Program, binary: c.Build, content: c.Content}
	at.Env = map[string]string{}
	for name, value := range c.Env {
		at.Env[name] = at.words(value)
	}
	return at, nil
}

func (c Command) folder(dir string) string {
	if c.Cwd == "" {
		return dir
	}
	return c.Cwd
}

func (c Command) grace() time.Duration {
	if c.Grace == 0 {
		return 5 * time.Second
	}
	return c.Grace
}

// environment returns all variables of the command, further ones last.
func (c Command) environment(at *place) []string {
	var env []string
	for name, value := range at.Env {
		env = append(env, name+"="+value)
	}
	sort.Strings(env)
	return append(os.Environ(), env...)
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
