package arm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostsOf is a content of n hostnames that fails after them with err.
type hostsOf struct {
	n   int
	err error
}

func (c hostsOf) Hosts(yield func(string) bool) error {
	for i := range c.n {
		if !yield(fmt.Sprintf("h%d.example.test", i)) {
			return nil
		}
	}
	return c.err
}

func (c hostsOf) Projects(yield func(any) bool) error {
	yield(struct{ Name string }{"site"})
	return nil
}

func (c hostsOf) Deployments(yield func(any) bool) error {
	yield(struct{ Alias string }{"2b469e16"})
	return nil
}

func TestFilesAreRenderedAsStreams(t *testing.T) {
	p := &place{Port: 81, AdminPort: 82, Dir: t.TempDir(), Origin: "o:1", CPUs: 2, Env: map[string]string{"N": "2"}, content: hostsOf{n: 100_000}}
	text := "{{.Port}} {{.AdminPort}} {{.Origin}} {{.CPUs}} {{range number .Env.N}}x{{end}}" +
		"{{range .Projects}} {{.Name}}{{end}}{{range .Deployments}} {{.Alias}}{{end}}\n{{range .Hosts}}^{{regex .}}$\n{{end}}"
	if err := p.render(map[string]string{"conf/all": text}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(p.Dir, "conf/all"))
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(got), "\n")
	if first != "81 82 o:1 2 xx site 2b469e16" {
		t.Errorf("fields are %q", first)
	}
	if n := strings.Count(rest, "\n"); n != 100_000 || !strings.HasPrefix(rest, `^h0\.example\.test$`) {
		t.Errorf("%d hostnames, beginning with %.40q", n, rest)
	}
}

// A file whose stream fails is not put in place, and the error is the stream's.
func TestAFailedStreamLeavesTheOldFile(t *testing.T) {
	p := &place{Dir: t.TempDir(), content: hostsOf{n: 1}}
	files := map[string]string{"hosts": "{{range .Hosts}}{{.}}{{end}}"}
	if err := p.render(files); err != nil {
		t.Fatal(err)
	}
	torn := errors.New("the dataset is cut short")
	p.content = hostsOf{n: 9, err: torn}
	if err := p.render(files); !errors.Is(err, torn) {
		t.Errorf("error %v; want that of the stream", err)
	}
	if got, _ := os.ReadFile(filepath.Join(p.Dir, "hosts")); string(got) != "h0.example.test" {
		t.Errorf("the file is %q", got)
	}
	p.content = nil
	if err := p.render(files); err == nil {
		t.Error("hostnames of nowhere were rendered")
	}
}

// A server that is not told its port is found by the sockets of its tree; a
// second one that wants the same port is told how to be given another.
func TestPortIsFoundAndPortIsTaken(t *testing.T) {
	ports, _, err := freePorts(net.Listen, 1)
	if err != nil {
		t.Fatal(err)
	}
	words := "serve " + itoa(ports[0])
	i, err := command(words).Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	if want := "127.0.0.1:" + itoa(ports[0]); i.Address != want {
		t.Errorf("found at %s, want %s", i.Address, want)
	}
	if _, err := command(words).Launch(within(t, 20*time.Second)); !errors.Is(err, ErrPortTaken) || !strings.Contains(err.Error(), "write {port}") {
		t.Errorf("error %v; want ErrPortTaken with what to write", err)
	}
}

// Commands around an arm run in its folder with its words, and their failures
// show the last lines; the folder is gone whatever happens.
func TestCommandsAroundAnArm(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	mark := filepath.Join(t.TempDir(), "torn-down")
	c := command("serve {port}")
	c.Setup, c.Teardown = "echo prepared {port} >made", "touch "+mark
	i, err := c.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := i.Do(within(t, 10*time.Second), "cat made; echo {pid}")
	if err != nil || len(lines) != 2 || !strings.HasPrefix(lines[0], "prepared ") || lines[1] == "0" {
		t.Errorf("Do = %q, %v", lines, err)
	}
	if _, err := i.Do(within(t, 10*time.Second), "echo broken table >&2; exit 4"); err == nil || !strings.Contains(err.Error(), "broken table") {
		t.Errorf("error %v; want its last line", err)
	}
	if err := i.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("the teardown did not run: %v", err)
	}
	c.Setup = "echo no such disk; exit 1"
	if _, err := c.Launch(within(t, 20*time.Second)); err == nil || !strings.Contains(err.Error(), "setup: ") || !strings.Contains(err.Error(), "no such disk") {
		t.Errorf("error %v; want that of the setup", err)
	}
	if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/*"); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// A command that hangs is ended at the deadline of its caller, with all that
// it started.
func TestACommandThatHangsIsEnded(t *testing.T) {
	i, err := command("serve {port}").Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := i.Do(ctx, "sleep 600 & sleep 600"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v; want the deadline", err)
	}
	below := Descendants(os.Getpid())
	for _, pid := range below {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.HasPrefix(string(text), "sleep\x00600") {
			t.Errorf("process %d is left", pid)
		}
	}
}

// A server that answers 500 is never ready; the message says what it answers
// and shows what it wrote.
func TestAServerThatAnswersWrongly(t *testing.T) {
	c := command("serve {port}")
	c.Within = 3 * time.Second // time to start on a busy machine
	c.Probe = func(ctx context.Context, address string) error {
		if _, err := get(ctx, address); err != nil {
			return err
		}
		return fmt.Errorf("status %d, expected 200", http.StatusInternalServerError)
	}
	_, err := c.Launch(within(t, 20*time.Second))
	for _, want := range []string{"not within 3s", "status 500, expected 200", "serving"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q in it", err, want)
		}
	}
}

// A server that takes its time is waited for as long as it may take.
func TestASlowServer(t *testing.T) {
	c := command("slow {port} 400ms")
	c.Within = 200 * time.Millisecond
	if _, err := c.Launch(within(t, 20*time.Second)); err == nil || !strings.Contains(err.Error(), "not within 200ms") || !strings.Contains(err.Error(), "nothing listens on 127.0.0.1:") {
		t.Errorf("error %v; want the deadline", err)
	}
	c.Within = 30 * time.Second
	i, err := c.Launch(within(t, 40*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	if i.Startup < 400*time.Millisecond {
		t.Errorf("it was ready after %v", i.Startup)
	}
}

func TestRenderingAgainAndKillingAWorker(t *testing.T) {
	c := command("serve {port}")
	c.Files, c.Content = map[string]string{"hosts": "{{range .Hosts}}{{.}} {{end}}"}, hostsOf{n: 1}
	i, err := c.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	if err := i.Render(hostsOf{n: 2}); err != nil {
		t.Fatal(err)
	}
	if lines, err := i.Do(within(t, 10*time.Second), "cat hosts"); err != nil || lines[0] != "h0.example.test h1.example.test " {
		t.Errorf("the file is %q, %v", lines, err)
	}
	if _, err := i.KillWorker(); err == nil {
		t.Error("a server of one process has a worker")
	}
	parent := command("parent {port}")
	two, err := parent.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer two.Stop()
	if _, err := two.KillWorker(); err != nil || two.Alive() != nil {
		t.Errorf("KillWorker: %v; alive: %v", err, two.Alive())
	}
}

func TestURLKnowsItsProcess(t *testing.T) {
	i, err := command("serve {port}").Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	file := filepath.Join(t.TempDir(), "pid")
	if err := os.WriteFile(file, []byte(itoa(i.PID)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := URL{URL: "http://" + i.Address, PIDFile: file, Program: os.Args[0]}.Launch(within(t, 10*time.Second))
	if err != nil || u.PID != i.PID || !u.Own {
		t.Fatalf("Launch = %+v, %v", u, err)
	}
	if lines, err := u.Do(within(t, 10*time.Second), "echo {port}"); err != nil || "127.0.0.1:"+lines[0] != i.Address {
		t.Errorf("Do = %q, %v", lines, err)
	}
	for about, u := range map[string]URL{
		"no such process": {PID: 1 << 21}, "no such file": {PIDFile: file + "x"}, "no number": {PIDFile: os.Args[0]}, "no such cgroup": {Cgroup: file + "x"},
	} {
		u.URL = "http://" + i.Address
		if _, err := u.Launch(within(t, 10*time.Second)); err == nil {
			t.Errorf("%s: attached", about)
		}
	}
}
