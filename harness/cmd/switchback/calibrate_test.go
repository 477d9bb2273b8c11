package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"switchback/harness/runner"
	"switchback/results/gate"
	"switchback/results/record"
)

// calibrateFrom calibrates from a run folder in a fresh current folder, and
// returns what was printed, the exit code and the stored files.
func calibrateFrom(t *testing.T, f calibrateFlags, dir string) (out string, code int, stored []string) {
	t.Helper()
	var stdout bytes.Buffer
	stored, failed := calibrateInto(t, f, dir, &stdout)
	if failed != nil {
		code, _ = codeOf(failed, true)
		stdout.WriteString(failed.Error())
	}
	return stdout.String(), code, stored
}

// calibrateInto calibrates from a run folder and prints into w.
func calibrateInto(t *testing.T, f calibrateFlags, dir string, w io.Writer) (stored []string, failed error) {
	t.Helper()
	folder, e, err := openJudged(dir)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := runner.Judge(folder, e, nil)
	if err != nil {
		t.Fatal(err)
	}
	folder.Summary = &summary
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	cmd.SetOut(w)
	cmd.SetErr(io.Discard)
	failed = f.report(cmd, folder, e)
	stored, err = filepath.Glob(filepath.Join(runner.Calibrations(resultsDir), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return stored, failed
}

func TestCalibrationIsStored(t *testing.T) {
	t.Chdir(t.TempDir())
	out, code, stored := calibrateFrom(t, calibrateFlags{alpha: 0.05, pairs: 10}, judgedRun(t, 1, nil))
	if code != 0 || len(stored) != 1 || !strings.Contains(out, stored[0]) {
		t.Fatalf("exit code %d, stored %v:\n%s", code, stored, out)
	}
	for _, say := range []string{"2 A/A gates of 10 pairs", "false alarms: 0 of 2", "ttfb.p50"} {
		if !strings.Contains(out, say) {
			t.Errorf("want %q in:\n%s", say, out)
		}
	}
	text, err := os.ReadFile(stored[0])
	if err != nil {
		t.Fatal(err)
	}
	var c gate.Calibration
	if err := json.Unmarshal(text, &c); err != nil || c.Experiment != "judged" || c.Gates != 2 {
		t.Errorf("stored %+v, %v", c, err)
	}
}

// A calibration that can't be printed is stored all the same, and an invalid one ends with
// the code of an invalid one.
func TestCalibrationThatIsNotPrinted(t *testing.T) {
	noisy := func(_ *record.Manifest, blocks []record.Block) {
		for i := range blocks {
			blocks[i].Generator.Foreign = 0.3
		}
	}
	for want, change := range map[int]func(*record.Manifest, []record.Block){gate.ExitPass: nil, gate.ExitInvalid: noisy} {
		t.Chdir(t.TempDir())
		stored, failed := calibrateInto(t, calibrateFlags{alpha: 0.05, pairs: 10}, judgedRun(t, 1, change), fullDisk{})
		code := 0
		if failed != nil {
			code, _ = codeOf(failed, true)
		}
		if code != want || (len(stored) == 1) != (want == gate.ExitPass) {
			t.Errorf("exit code %d, want %d; stored %v", code, want, stored)
		}
	}
}

// What a noisy machine measured is shown and not kept.
func TestInvalidCalibrationIsNotStored(t *testing.T) {
	t.Chdir(t.TempDir())
	noisy := func(_ *record.Manifest, blocks []record.Block) {
		for i := range blocks {
			blocks[i].Generator.Foreign = 0.3
		}
	}
	out, code, stored := calibrateFrom(t, calibrateFlags{alpha: 0.05, pairs: 10, json: true}, judgedRun(t, 1, noisy))
	if code != gate.ExitInvalid || len(stored) != 0 || !strings.Contains(out, "not stored") {
		t.Errorf("exit code %d, stored %v:\n%s", code, stored, out)
	}
	if !strings.Contains(out, `"schema": "switchback.calibration/2"`) {
		t.Errorf("no JSON in:\n%s", out)
	}
}

// A gate tells of the false alarms that its machine's calibration has shown.
func TestGateReadsTheCalibration(t *testing.T) {
	dir := judgedRun(t, 1, nil)
	t.Chdir(t.TempDir())
	folder, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	bad := gate.Calibration{Schema: gate.CalibrationSchema, MachineKind: folder.Manifest.MachineKind, Alpha: 0.05, Gates: 60, Alarms: 20}
	path, err := gate.WriteCalibration(runner.Calibrations(resultsDir), bad)
	if err != nil {
		t.Fatal(err)
	}
	if out, code := gateCommand(dir); code != 0 || !strings.Contains(out, "20 false alarms in 60 A/A gates") {
		t.Errorf("exit code %d, no warning in:\n%s", code, out)
	}
	if err := os.WriteFile(path, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, code := gateCommand(dir); code != exitError {
		t.Errorf("exit code %d with a broken calibration:\n%s", code, out)
	}
}
