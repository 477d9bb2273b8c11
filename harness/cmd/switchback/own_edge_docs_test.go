package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOwnEdgePage does what docs/own-edge.md says: it writes the files that the
// page shows and runs its commands.
func TestOwnEdgePage(t *testing.T) {
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("nginx is not on this machine")
	}
	page, err := os.ReadFile("../../../docs/own-edge.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	files, commands := 0, 0
	for _, m := range regexp.MustCompile("(?s)```([a-z.]+)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if name := m[1]; name != "sh" {
			files++
			if err := os.WriteFile(filepath.Join(dir, name), []byte(m[2]), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		commands++
		line := strings.TrimSpace(m[2]) + " --quiet --pairs 1"
		if !strings.Contains(line, "--short") {
			line += " --short"
		}
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "verdict: none") || !strings.Contains(string(out), " 0 errors") {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	if files != 3 || commands != 3 {
		t.Errorf("the page has %d files and %d commands; want 3 and 3", files, commands)
	}
	if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/switchback-scratch-*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
