package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"switchback/results/gate"
)

// generatingRun takes some seconds to generate its dataset.
const generatingRun = `name: generating
dataset: {sizes: [300000]}
targets: {per_block: {300000: 20}}
load: {rate: 100/s}
arms: [{name: a, edge: {}}, {name: b, edge: {}}]
blocks: {pairs: 1, length: 200ms}
`

// servingRun starts a server of the user's own.
const servingRun = `name: serving
targets: {hosts: hosts.txt}
load: {rate: 100/s}
arms: [{name: a, command: 'picky-server {port} 0 200'}]
blocks: {pairs: PAIRS, length: 200ms}
`

// TestNextRunRemovesWhatKilledOnesLeft kills one run while its dataset is generated and
// one while it measures. The next run removes what they left, names it, and keeps
// what the second has measured.
func TestNextRunRemovesWhatKilledOnesLeft(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	run := func(experiment string, args ...string) *exec.Cmd {
		t.Helper()
		for name, text := range map[string]string{"x.yaml": experiment, "hosts.txt": "www.example.test\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("switchback", append([]string{"run", "x.yaml"}, args...)...)
		cmd.Dir = dir
		return cmd
	}
	killOnce(t, run(generatingRun), func() bool { return len(glob(t, dir, "results/cache/run-*/.*.zst*")) > 0 })
	if left := glob(t, dir, "results/runs/*"); len(left) != 1 {
		t.Fatalf("folders of runs: %v; want that of the killed one", left)
	}
	second := killOnce(t, run(strings.Replace(servingRun, "PAIRS", "500", 1), "--out", "kept"), func() bool { return countLines(filepath.Join(dir, "kept/blocks.jsonl")) > 1 })
	waitFor(t, "the arm's folder goes with its keeper", 10*time.Second, func() bool { return len(glob(t, tmp, "*/arm-*")) == 0 })

	next := run(strings.Replace(servingRun, "PAIRS", "1", 1), "--out", "next")
	out, err := next.CombinedOutput()
	if err != nil && next.ProcessState.ExitCode() != gate.ExitInvalid { // the machine may be busy
		t.Fatalf("%v\n%s", err, out)
	}
	const killedLeft = "which a killed run left ("
	if n, m := strings.Count(second, killedLeft), strings.Count(string(out), killedLeft); n != 3 || m != 2 {
		t.Errorf("they name %d and %d folders; want 3 of the first (one of them of its run) and 2 of the second:\n%s\n%s", n, m, second, out)
	}
	left := append(glob(t, dir, "results/cache/run-*"), glob(t, dir, "results/cache/*/unfinished-*")...)
	left = append(append(left, glob(t, dir, "results/runs/*")...), glob(t, tmp, "*")...)
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if countLines(filepath.Join(dir, "kept/blocks.jsonl")) < 2 {
		t.Error("what the killed run measured is gone")
	}
}

// killOnce starts a command, kills it as soon as ok holds, and returns what it
// wrote to its standard error.
func killOnce(t *testing.T, cmd *exec.Cmd, ok func() bool) string {
	t.Helper()
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	waitFor(t, "the run comes to where it is killed", time.Minute, ok)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	return said.String()
}

// glob returns the paths below a folder of the test's that match a pattern.
func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
