package main

import (
	"bytes"
	"encoding/json"
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
	folder, e, err := openJudged(dir)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := runner.Judge(folder, e, nil)
	if err != nil {
		t.Fatal(err)
	}
	folder.Summary = &summary
	var stdout bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetOut(&stdout)
	if err := f.report(cmd, folder, e); err != nil {
		code, _ = codeOf(err, true)
		stdout.WriteString(err.Error())
	}
	stored, err = filepath.Glob(filepath.Join(runner.Calibrations(resultsDir), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return stdout.String(), code, stored
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
