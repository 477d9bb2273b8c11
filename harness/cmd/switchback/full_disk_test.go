package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"switchback/results/gate"
)

// TestAFullDiskEndsARun runs with its caches on small file systems: with each size the disk
// is full in another phase.
func TestAFullDiskEndsARun(t *testing.T) {
	for _, c := range []struct {
		name string
		size string
		text string
	}{
		{"generating", "256k", "dataset: {sizes: [20000]}\n"},
		{"publishing", "2m", "dataset: {sizes: [20], neighbours: 200000}\n"},
		{"merging", "12m", "dataset: {sizes: [20], neighbours: 400000}\n"},
		{"beginning", "16k", "dataset: {sizes: [1]}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+c.size); err != nil {
				t.Skipf("a small file system cannot be mounted: %v", err)
			}
			t.Cleanup(func() {
				if err := syscall.Unmount(dir, 0); err != nil {
					t.Error(err)
				}
			})
			text := "name: full\nload: {rate: 100/s}\n" + c.text + "arms: [{name: a, edge: {}}]\nblocks: {pairs: 2, length: 200ms}\n"
			refusedRun(t, dir, text, nil, exitError, "no space left on device")
		})
	}
}

// TestFewFilesEndARun leaves too few descriptors, at first to the run itself, then to
// the arms and to Pebble. The machine is at fault then, so the exit code is that of an
// invalid measurement.
func TestFewFilesEndARun(t *testing.T) {
	text := "name: few\nload: {rate: 100/s}\ndataset: {sizes: [1000]}\narms: [{name: a, edge: {}}]\nblocks: {pairs: 2, length: 200ms}\n"
	for _, limit := range []int{12, 14, 16, 18, 20} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			refusedRun(t, t.TempDir(), text, []string{"prlimit", fmt.Sprint("--nofile=", limit)}, gate.ExitInvalid, "too many open files")
		})
	}
}

// refusedRun runs an experiment in dir, below another command if there is one, and wants
// one line, an exit code and nothing left.
func refusedRun(t *testing.T, dir, text string, below []string, code int, want string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "e.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append(below, "switchback", "run", "e.yaml", "--out", "run", "--quiet")
	cmd, said := exec.Command(args[0], args[1:]...), &output{}
	cmd.Dir, cmd.Stderr = dir, said
	begin(t, cmd)
	endsWith(t, cmd, code)
	if text := said.String(); !strings.Contains(text, want) || strings.Count(text, "\n") != 1 {
		t.Errorf("it said %q; want one line with %q", text, want)
	}
	checkNothingLeft(t, dir)
}
