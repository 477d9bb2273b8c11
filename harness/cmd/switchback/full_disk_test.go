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
			dir := smallDisk(t, c.size)
			text := "name: full\nload: {rate: 100/s}\n" + c.text + "arms: [{name: a, edge: {}}]\nblocks: {pairs: 2, length: 200ms}\n"
			refusedRun(t, dir, text, nil, exitError, "no space left on device")
		})
	}
}

// smallDisk returns a folder that is a file system of that size.
func smallDisk(t *testing.T, size string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small file system cannot be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill is a script that takes what is left of a disk at one of its calls.
func fill(call int) string {
	return fmt.Sprintf("echo x >>calls\n[ $(wc -l <calls) -ne %d ] || cat /dev/zero >fill 2>/dev/null\nexit 0\n", call)
}

// TestAFullDiskEndsALaterPhase lets an arm fill the disk: before the checkpoint of the
// other arm is made, between two blocks, and after the last one.
func TestAFullDiskEndsALaterPhase(t *testing.T) {
	for _, c := range []struct {
		name string
		hook string // of the arm that fills the disk
		call int    // of the hook, which does
		rest string // of the arms
		kept bool   // blocks that were measured
	}{
		{"launch", "setup", 1, "  - {name: b, edge: {}}\n", false},
		{"block", "setup", 2, "", true},
		{"report", "teardown", 2, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := smallDisk(t, "8m")
			if err := os.WriteFile(filepath.Join(dir, "fill.sh"), []byte(fill(c.call)), 0o600); err != nil {
				t.Fatal(err)
			}
			text := "name: full\nload: {rate: 100/s}\ndataset: {sizes: [10]}\ncheck: {off: true}\narms:\n" +
				"  - {name: a, command: 'picky-server {port} 0 200', " + c.hook + ": 'cd " + dir + " && sh fill.sh'}\n" + c.rest +
				"blocks: {pairs: 2, length: 200ms, launch_every: 1}\n"
			if err := os.WriteFile(filepath.Join(dir, "e.yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd, said := exec.Command("switchback", "run", "e.yaml", "--out", "run", "--quiet"), &output{}
			cmd.Dir, cmd.Stderr = dir, said
			begin(t, cmd)
			endsWith(t, cmd, exitError)
			if text := said.String(); !strings.Contains(text, "no space left on device") || strings.Count(text, "\n") != 1 {
				t.Errorf("it said %q; want one line", text)
			}
			if !c.kept {
				checkNothingLeft(t, dir)
			} else if err := exec.Command("switchback", "report", filepath.Join(dir, "run")).Run(); err != nil {
				t.Errorf("the report of the blocks that were measured: %v", err)
			}
		})
	}
}

// TestFewFilesEndARun leaves too few descriptors, at first to the run itself, then to
// the arms and to Pebble. The machine is at fault then, so the exit code is the one of an
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
