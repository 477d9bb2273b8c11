package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"switchback/harness/runner"
	"switchback/results/gate"
	"switchback/results/record"
	"switchback/results/report"
)

// fullDisk is a writer that fails.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// told runs what follows the verdict of a run in dir, and returns its exit code and what
// it wrote to its standard error.
func told(t *testing.T, dir string, f runFlags, out io.Writer) (code int, said string) {
	t.Helper()
	folder, e, err := openJudged(dir)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := runner.Judge(folder, e, nil)
	if err != nil && !errors.Is(err, gate.ErrNothingCompared) {
		t.Fatal(err)
	}
	folder.Summary = &summary
	var stderr strings.Builder
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	cmd.SetOut(out)
	cmd.SetErr(&stderr)
	if err := f.tell(cmd, e, folder, &traces{}); err != nil {
		code, _ = codeOf(err, true)
	}
	return code, stderr.String()
}

// TestNothingAfterTheVerdictChangesTheExitCode breaks the printing and the page of runs
// of each verdict, in a folder whose name would be a malformed pattern.
func TestNothingAfterTheVerdictChangesTheExitCode(t *testing.T) {
	noisy := func(_ *record.Manifest, blocks []record.Block) {
		for i := range blocks {
			blocks[i].Generator.Steal = 0.3
		}
	}
	for _, tt := range []struct {
		name   string
		factor float64
		change func(*record.Manifest, []record.Block)
		strict bool
		want   int
	}{
		{name: "pass", factor: 1, want: gate.ExitPass},
		{name: "inconclusive", factor: 1.05, want: gate.ExitPass},
		{name: "inconclusive and strict", factor: 1.05, strict: true, want: gate.ExitInconclusive},
		{name: "invalid", factor: 1, change: noisy, want: gate.ExitInvalid},
		{name: "regression", factor: 1.3, want: gate.ExitRegression},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "[a")
			if err := os.Rename(judgedRun(t, tt.factor, tt.change), dir); err != nil {
				t.Fatal(err)
			}
			f := runFlags{strict: tt.strict}
			f.profile = "cpu"
			if code, said := told(t, dir, f, io.Discard); code != tt.want || said != "" {
				t.Errorf("when all goes well: exit code %d, want %d; it said %q", code, tt.want, said)
			}
			if err := os.RemoveAll(filepath.Join(dir, report.HTMLFile)); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, report.HTMLFile), 0o755); err != nil {
				t.Fatal(err)
			}
			code, said := told(t, dir, f, fullDisk{})
			if code != tt.want || !strings.Contains(said, "its page is not") || !strings.Contains(said, "printing it failed: ") {
				t.Errorf("when nothing can be written: exit code %d, want %d; it said %q", code, tt.want, said)
			}
		})
	}
}

// TestReaderThatHasGone pipes a judged run, through the binary, into a program that
// does not read it.
func TestReaderThatHasGone(t *testing.T) {
	for _, tt := range []struct {
		factor float64
		flags  string
		want   string
	}{
		{1.3, "", "99"},
		{1.3, "--json", "99"},
		{1.05, "--strict", "3"},
	} {
		// The pipe has no reader any more before the command begins to write.
		script := `mkfifo pipe; true <pipe & exec 3>pipe; wait; switchback gate "$1" $2 >&3 2>said; echo $?`
		cmd := exec.Command("sh", "-c", script, "sh", judgedRun(t, tt.factor, nil), tt.flags)
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != tt.want {
			t.Errorf("gate %s: exit code %s, %v; want %s", tt.flags, out, err, tt.want)
		}
		if said, err := os.ReadFile(filepath.Join(cmd.Dir, "said")); err != nil || !strings.Contains(string(said), "printing it failed") {
			t.Errorf("gate %s said %q, %v", tt.flags, said, err)
		}
	}
}
