package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"switchback/harness/arm"
	"switchback/results/gate"

	"golang.org/x/sys/unix"
)

// output collects what a process writes while a test reads it.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// phases are experiments that stay for long in one phase, and what tells that it is reached.
// A later phase begins soon with the small ones.
var phases = []struct {
	name, file string
	reached    func(said string, cmd *exec.Cmd) bool
}{
	{"generate", "dataset: {sizes: [900000]}\narms: [{name: a, edge: {}}]\n",
		func(said string, _ *exec.Cmd) bool { return strings.Contains(said, "generating") }},
	{"publish", "dataset: {sizes: [20], neighbours: 20000000}\narms: [{name: a, edge: {}}]\n",
		func(said string, _ *exec.Cmd) bool { return strings.Contains(said, "publishing") }},
	{"launch", "dataset: {sizes: [10]}\narms: [{name: a, command: {run: 'sleep 600', ready_within: 10m}}]\n",
		func(_ string, cmd *exec.Cmd) bool { return len(arm.Descendants(cmd.Process.Pid)) >= 3 }},
	{"block", "dataset: {sizes: [10]}\narms: [{name: a, edge: {}}]\nblocks: {length: 10m}\n",
		func(said string, _ *exec.Cmd) bool { return strings.Contains(said, "measuring") }},
}

// TestAnInterruptEndsEachPhase sends one signal, and wants an end in order: exit code 1,
// one line, no process and no file left.
func TestAnInterruptEndsEachPhase(t *testing.T) {
	for _, phase := range phases {
		t.Run(phase.name, func(t *testing.T) {
			dir, said := t.TempDir(), &output{}
			text := "name: phase\nload: {rate: 100/s}\n" + phase.file
			if err := os.WriteFile(filepath.Join(dir, "phase.yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("switchback", "run", "phase.yaml", "--out", "run")
			cmd.Dir, cmd.Stderr = dir, said
			cmd.Env = append(os.Environ(), "TMPDIR="+dir)
			begin(t, cmd)
			waitFor(t, phase.name, time.Minute, func() bool { return phase.reached(said.String(), cmd) })
			children := arm.Descendants(cmd.Process.Pid)
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			endsWith(t, cmd, exitError)
			if text := said.String(); !strings.Contains(text, "interrupted") || strings.Contains(text, "goroutine ") {
				t.Errorf("it said %q", text)
			}
			if anyAlive(children) {
				t.Error("children are left")
			}
			checkNothingLeft(t, dir)
		})
	}
}

// checkNothingLeft wants no run folder without blocks, and nothing unfinished in the cache.
func checkNothingLeft(t *testing.T, dir string) {
	t.Helper()
	for _, pattern := range []string{"run", "switchback-*", ".*", "results/cache/run-*", "results/cache/*/unfinished-*", "results/cache/*/.*"} {
		if left, err := filepath.Glob(filepath.Join(dir, pattern)); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func begin(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
}

// endsWith waits for a process, at most two minutes.
func endsWith(t *testing.T, cmd *exec.Cmd, code int) {
	t.Helper()
	bound := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer bound.Stop()
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != code {
		t.Errorf("it ended with %v; want the exit code %d\n%v", cmd.ProcessState, code, cmd.Stderr)
	}
}

// fifo makes a named pipe that nobody writes to.
func fifo(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAnInterruptEndsReadingAPipe: the writer says nothing and does not end.
func TestAnInterruptEndsReadingAPipe(t *testing.T) {
	for name, args := range map[string][]string{
		"hosts":        {"attack", "http://127.0.0.1:9/", "--rate", "10", "--hosts"},
		"targets":      {"attack", "http://127.0.0.1:9/", "--rate", "10", "--targets"},
		"experiment":   {"run"},
		"dataset":      {"dataset", "info"},
		"drawn from":   {"targets", "gen", "--out", "requests.zst", "--dataset"},
		"stream":       {"targets", "info"},
		"ring":         {"ring", "serve", "--listen", "127.0.0.1:0", "--servers"},
		"edge secret":  {"edge", "--secret-file"},
		"origin token": {"origin", "--admin-token-file"},
	} {
		t.Run(name, func(t *testing.T) {
			pipe := fifo(t)
			cmd := exec.Command("switchback", append(args, pipe)...)
			cmd.Dir, cmd.Stderr = t.TempDir(), &output{}
			begin(t, cmd)
			waitFor(t, "the pipe has a reader", time.Minute, func() bool {
				writer, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
				if err == nil {
					t.Cleanup(func() { writer.Close() })
				}
				return err == nil
			})
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			endsWith(t, cmd, exitError)
		})
	}
}

// TestASecondSignalEndsAtOnce: the arm ignores the signal to stop for ten minutes.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	dir, said := t.TempDir(), &output{}
	text := "name: stubborn\nload: {rate: 100/s}\ndataset: {sizes: [10]}\narms:\n" +
		"  - {name: a, command: {run: 'sh -c \"trap : TERM INT; echo >up; while :; do sleep 1; done\"', cwd: " + dir + ", ready_within: 10m, grace: 10m}}\n"
	if err := os.WriteFile(filepath.Join(dir, "stubborn.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("switchback", "run", "stubborn.yaml")
	cmd.Dir, cmd.Stderr = dir, said
	begin(t, cmd)
	waitFor(t, "the server is up", time.Minute, func() bool { _, err := os.Stat(filepath.Join(dir, "up")); return err == nil })
	children := arm.Descendants(cmd.Process.Pid)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} { // two equal ones might become one
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	endsWith(t, cmd, 128+int(syscall.SIGTERM))
	waitFor(t, "the children end", time.Minute, func() bool { return !anyAlive(children) })
}

// TestADashIsStandardInput names what it read in its error.
func TestADashIsStandardInput(t *testing.T) {
	cmd := exec.Command("switchback", "attack", "http://127.0.0.1:9/", "--rate", "10", "--hosts", "-")
	cmd.Dir, cmd.Stderr, cmd.Stdin = t.TempDir(), &output{}, strings.NewReader("good.example\nno host\n")
	begin(t, cmd)
	endsWith(t, cmd, exitUsage)
	if text := cmd.Stderr.(*output).String(); !strings.Contains(text, "/dev/stdin") || !strings.Contains(text, "2") {
		t.Errorf("it said %q", text)
	}
}

// TestStreamsAreRefusedWhereFilesAreReadTwice wants one sentence, at once.
func TestStreamsAreRefusedWhereFilesAreReadTwice(t *testing.T) {
	pipe, dir := fifo(t), t.TempDir()
	text := "name: piped\nload: {rate: 100/s}\ndataset: {file: " + pipe + "}\narms: [{name: a, edge: {}}]\n"
	if err := os.WriteFile(filepath.Join(dir, "piped.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		code int
		args []string
	}{
		"ab":    {exitUsage, []string{"ab", "--base", "true", "--candidate", "true", "--hosts", pipe}},
		"stdin": {exitUsage, []string{"ab", "--base", "true", "--candidate", "true", "--hosts", "-"}},
		"run":   {exitError, []string{"run", "piped.yaml", "--quiet"}},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("switchback", c.args...)
			cmd.Dir, cmd.Stderr = dir, &output{}
			begin(t, cmd)
			endsWith(t, cmd, c.code)
			if text := cmd.Stderr.(*output).String(); !strings.Contains(text, "expected a regular file") {
				t.Errorf("it said %q", text)
			}
		})
	}
}

// holdingServer answers one request on port $1; each further one writes a byte to the
// file $2 and waits.
func holdingServer() {
	var seen atomic.Int64
	held, err := os.OpenFile(os.Args[2], os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	err = http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if seen.Add(1) == 1 {
			return
		}
		fmt.Fprint(held, "x")
		<-r.Context().Done()
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// TestAnInterruptEndsTheDrain: all requests of the block are sent, and none is answered.
func TestAnInterruptEndsTheDrain(t *testing.T) {
	for _, engine := range []string{"wire", "vegeta"} {
		t.Run(engine, func(t *testing.T) {
			dir, said := t.TempDir(), &output{}
			text := "name: drain\ncheck: {off: true}\nload: {rate: 100/s, arrivals: constant, timeout: 10m, engine: " + engine + "}\ndataset: {sizes: [10]}\n" +
				"arms: [{name: a, command: 'holding-server {port} " + dir + "/held'}]\nblocks: {pairs: 2, length: 200ms}\n"
			if err := os.WriteFile(filepath.Join(dir, "drain.yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("switchback", "run", "drain.yaml", "--out", "run", "--quiet")
			cmd.Dir, cmd.Stderr = dir, said
			begin(t, cmd)
			waitFor(t, "all requests wait", time.Minute, func() bool {
				info, err := os.Stat(filepath.Join(dir, "held"))
				return err == nil && info.Size() >= 20
			})
			children := arm.Descendants(cmd.Process.Pid)
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			endsWith(t, cmd, exitError)
			if !strings.Contains(said.String(), "interrupted") || anyAlive(children) {
				t.Errorf("it said %q; children are left: %v", said, anyAlive(children))
			}
			checkNothingLeft(t, dir)
		})
	}
}

// TestAnInterruptEndsTheReport: the run is complete, and nobody reads what it prints. Its
// exit code stays that of the verdict.
func TestAnInterruptEndsTheReport(t *testing.T) {
	dir, said := t.TempDir(), &output{}
	text := "name: told\ncheck: {off: true}\nload: {rate: 100/s}\ndataset: {sizes: [10]}\n" +
		"arms: [{name: a, command: 'picky-server {port} 0 200'}]\nblocks: {pairs: 2, length: 200ms}\n"
	if err := os.WriteFile(filepath.Join(dir, "told.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	fillPipe(t, writer)
	cmd := exec.Command("switchback", "run", "told.yaml", "--out", "run", "--quiet")
	cmd.Dir, cmd.Stderr, cmd.Stdout = dir, said, writer
	begin(t, cmd)
	waitFor(t, "the page is written", time.Minute, func() bool { _, err := os.Stat(filepath.Join(dir, "run/report.html")); return err == nil })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != gate.ExitInvalid || !strings.Contains(said.String(), "the run is complete") {
		t.Errorf("exit code %d; it said %q", code, said)
	}
}

// fillPipe writes until a pipe is full, and leaves it as it is for others: blocking.
func fillPipe(t *testing.T, writer *os.File) {
	t.Helper()
	fd := int(writer.Fd()) // blocking from now on
	size, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), unix.F_GETPIPE_SZ, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
	if _, err := writer.Write(make([]byte, size)); err != nil {
		t.Fatal(err)
	}
}
