package gate

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"switchback/results/record"
	"switchback/results/stats"
)

func TestCalibrate(t *testing.T) {
	same := made{pairs: 60, arms: both(), values: noisy(1)}.run()
	same.Manifest.MachineKind = record.MachineKind{CPU: "Made CPU @ 2 GHz", CPUs: 2, MemoryGiB: 8, Architecture: "amd64"}
	c, err := Calibrate([]Run{same, same}, CalibrationOptions{Subjects: []Subject{{Metric: "ttfb.p50"}, {Metric: "cache.hit_ratio"}}, Relabellings: 400})
	if err != nil {
		t.Fatal(err)
	}
	if c.Gates != 6 || c.Alarms != 0 || c.AtMost < 0.39 || c.AtMost > 0.4 { // 1 − 0.05^(1/6)
		t.Errorf("%d alarms in %d gates, at most %v", c.Alarms, c.Gates, c.AtMost)
	}
	if s := c.Metrics[0].Sigma; s < 0.02 || s > 0.04 { // √2 · 2 %
		t.Errorf("sigma %v of two blocks with 2 %% of noise each", s)
	}
	if k := c.Metrics[0].Alarms; k < 4 || k > 40 || c.Metrics[0].Gates != 400 {
		t.Errorf("%d alarms in %d relabelled gates at 5 %%", k, c.Metrics[0].Gates)
	}
	dir := t.TempDir()
	if _, err := WriteCalibration(dir, c); err != nil {
		t.Fatal(err)
	}
	back, err := ReadCalibration(dir, c.MachineKind)
	if err != nil || back == nil || back.Metrics[0] != c.Metrics[0] || back.AtMost != c.AtMost {
		t.Errorf("read back %+v, %v", back, err)
	}
	if none, err := ReadCalibration(dir, record.MachineKind{CPU: "other"}); none != nil || err != nil {
		t.Errorf("another kind of machine: %+v, %v", none, err)
	}
	var text bytes.Buffer
	if err := c.Print(&text); err != nil {
		t.Fatal(err)
	}
	golden(t, "calibration.txt", text.Bytes())
	if got := CalibrationFile(c.MachineKind); got != "made-cpu---2-ghz-2cpu-8gib-amd64.json" {
		t.Errorf("file %q", got)
	}
}

func TestCalibrateRefuses(t *testing.T) {
	short := made{pairs: 5, arms: both(), values: noisy(1)}.run()
	if _, err := Calibrate([]Run{short}, CalibrationOptions{Subjects: []Subject{{Metric: "ttfb.p50"}}}); err == nil {
		t.Error("5 pairs make a gate of 20")
	}
	other := made{pairs: 30, arms: both(), values: noisy(1)}.run()
	other.Manifest.MachineKind.CPUs = 7
	same := made{pairs: 30, arms: both(), values: noisy(1)}.run()
	if _, err := Calibrate([]Run{same, other}, CalibrationOptions{}); err == nil {
		t.Error("two kinds of machine in one calibration")
	}
	for i := range same.Blocks {
		same.Blocks[i].Launch /= 5
	}
	if _, err := Calibrate([]Run{same}, CalibrationOptions{Subjects: []Subject{{Metric: "ttfb.p50"}}}); err == nil {
		t.Error("launches of several pairs count as pairs of their own")
	}
}

// What a run could have seen rests on the spread that a calibration of the same
// experiment measured; on that of another experiment it does not.
func TestPowerOfACalibratedGate(t *testing.T) {
	run := made{pairs: 20, arms: both(), values: noisy(1)}.run()
	mde := func(experiment string) float64 {
		c := &Calibration{Experiment: experiment, Length: 4 * run.Blocks[0].Length, Metrics: []CalibratedMetric{{Metric: "ttfb.p50", Sigma: 0.1}}}
		s, err := Summarise(run, Rules{Arms: both(), Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}}, Calibration: c})
		if err != nil {
			t.Fatal(err)
		}
		return s.Gates[0].MDE
	}
	alpha := DefaultAlpha
	if got, want := mde(run.Manifest.Experiment), stats.MDE(0.05, 0.2, 20, alpha); math.Abs(got-want) > 1e-9 {
		t.Errorf("calibrated: %v, want %v of a spread of 0.1 over blocks four times as long", got, want)
	}
	if got := mde("another"); !(got < 0.08) {
		t.Errorf("calibrated by another experiment: %v, want that of the run's own 3 %%", got)
	}
}

// A gate warns when its machine raises more false alarms than alpha allows.
func TestBadCalibrationIsNoted(t *testing.T) {
	run := made{pairs: 20, arms: both(), values: noisy(1)}.run()
	for alarms, want := range map[int]bool{2: false, 6: false, 20: true} {
		rules := Rules{Arms: both(), Alpha: 0.01, Calibration: &Calibration{Alpha: 0.05, Gates: 60, Alarms: alarms}}
		s, err := Summarise(run, rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(s.Validity.Notes, ""), "false alarms"); got != want || !s.Validity.OK {
			t.Errorf("%d of 60 alarms: notes %q", alarms, s.Validity.Notes)
		}
	}
}
