package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"switchback/harness/arm"
	"switchback/results/gate"
	"switchback/results/record"
)

// TestMain lets the test binary be the programs that the scripts run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"switchback": main, "dying-server": dyingServer, "failing-server": failingServer, "picky-server": pickyServer, "refusing-server": refusingServer, "pprof-server": pprofServer, "holding-server": holdingServer,
		"outside-server": outsideServer, "outside-client": outsideClient})
}

// TestScripts runs the command as users do: built without the race detector,
// with which the built-in edges are some ten times slower. TestRacedScripts runs
// what has the most goroutines with it.
func TestScripts(t *testing.T) {
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	plain := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", plain, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	runScripts(t, "testdata/script", func(env *testscript.Env) error {
		env.Setenv("PATH", plain+string(filepath.ListSeparator)+env.Getenv("PATH"))
		env.Setenv("GOCACHE", strings.TrimSpace(string(goCache))) // arms that are built need the standard library
		env.Setenv("CGO_ENABLED", "0")
		return nil
	})
}

// TestRacedScripts runs the command as the test binary, with the race detector
// where the tests have it.
func TestRacedScripts(t *testing.T) {
	runScripts(t, "testdata/raced", nil)
}

func runScripts(t *testing.T, dir string, setup func(*testscript.Env) error) {
	testscript.Run(t, testscript.Params{Dir: dir, Setup: setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"nothing-left": nothingLeft, "measured": measured}})
}

// measured runs a command that measures to its end.
func measured(ts *testscript.TestScript, _ bool, args []string) {
	if err := ts.Exec(args[0], args[1:]...); !toItsEnd(err) {
		ts.Fatalf("%v: %v", args, err)
	}
}

// toItsEnd says whether a run ended as it should where nobody looks at its
// numbers: it may have found the machine too busy to believe them.
func toItsEnd(err error) bool {
	var exit *exec.ExitError
	return err == nil || errors.As(err, &exit) && exit.ExitCode() == gate.ExitInvalid
}

// dyingServer answers 200 on port $1 until it has had $2 requests, then dies.
func dyingServer() {
	left, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	var seen atomic.Int64
	err = http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if seen.Add(1) > int64(left) {
			fmt.Fprintln(os.Stderr, "table corrupt, giving up")
			os.Exit(3)
		}
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// failingServer answers 200 on port $1 until it has had $2 requests, and 503 from
// then on.
func failingServer() {
	right, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		panic(err)
	}
	var seen atomic.Int64
	err = http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if seen.Add(1) > right {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// longRun is an experiment that lasts until it is stopped.
const longRun = `name: long
dataset: {sizes: [10]}
targets: {per_block: {10: 30}}
load: {rate: 150/s}
arms:
  - {name: a, edge: {}}
  - {name: b, edge: {}}
blocks: {pairs: 100, length: 200ms}
`

// startLongRun starts a run and returns once two of its blocks are on disk.
func startLongRun(t *testing.T) (cmd *exec.Cmd, run string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "long.yaml")
	if err := os.WriteFile(file, []byte(longRun), 0o644); err != nil {
		t.Fatal(err)
	}
	run = filepath.Join(dir, "run")
	cmd = exec.Command("switchback", "run", file, "--out", run, "--quiet")
	cmd.Dir, cmd.Stderr = dir, &strings.Builder{}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	waitFor(t, "two blocks on disk", time.Minute, func() bool { return countLines(filepath.Join(run, record.BlocksFile)) >= 2 })
	return cmd, run
}

// TestKilledHarness checks that after SIGKILL the finished blocks are on disk and
// that edges and origin end.
func TestKilledHarness(t *testing.T) {
	cmd, run := startLongRun(t)
	children := arm.Descendants(cmd.Process.Pid)
	if len(children) < 3 {
		t.Errorf("the harness has %d children; expected an origin and two edges", len(children))
	}
	before := countLines(filepath.Join(run, record.BlocksFile))
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	waitFor(t, "the children end", time.Minute, func() bool { return !anyAlive(children) })
	folder, err := record.Open(run)
	if err != nil || len(folder.Blocks) < before {
		t.Errorf("record.Open: %v; %d blocks, want at least %d", err, len(folder.Blocks), before)
	}
}

// TestInterruptedHarness checks that Ctrl-C ends with 1, a readable folder and
// no process.
func TestInterruptedHarness(t *testing.T) {
	cmd, run := startLongRun(t)
	children := arm.Descendants(cmd.Process.Pid)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitError {
		t.Errorf("exit: %v; want %d", err, exitError)
	}
	said := cmd.Stderr.(*strings.Builder).String()
	if !strings.Contains(said, "interrupted") || !strings.Contains(said, run) {
		t.Errorf("it said %q; want that it was interrupted and where the blocks are", said)
	}
	if anyAlive(children) {
		t.Error("children are left")
	}
	if folder, err := record.Open(run); err != nil || len(folder.Blocks) < 2 || folder.Manifest.End.IsZero() {
		t.Errorf("record.Open: %+v, %v; want at least two blocks and an end", folder, err)
	}
}

func anyAlive(pids []int) bool {
	for _, pid := range pids {
		if syscall.Kill(pid, 0) == nil && !isZombie(pid) {
			return true
		}
	}
	return false
}

// isZombie reports whether a process has ended and nobody has read its end: in
// a container without an init nobody may.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func countLines(path string) int {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewReader(f); ; n++ {
		if _, err := lines.ReadString('\n'); err != nil {
			return n
		}
	}
}

// waitFor polls ok until it holds.
func waitFor(t *testing.T, what string, limit time.Duration, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(limit); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}
