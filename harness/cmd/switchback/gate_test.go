package main

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"switchback/results/record"
)

const judgedExperiment = `name: judged
dataset: {sizes: [10]}
targets: {per_block: {10: 100}}
load: {rate: 100/s}
arms:
  - {name: base, edge: {}}
  - {name: candidate, edge: {}}
blocks: {pairs: 20, length: 1s}
gate:
  - {metric: ttfb.p50, max_regression: 5%}
`

// judgedRun writes a run folder whose candidate is slower by factor; change
// alters its manifest and blocks before they are written.
func judgedRun(t *testing.T, factor float64, change func(*record.Manifest, []record.Block)) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	run, err := record.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := record.Manifest{Run: "made", Experiment: "judged", Seed: 1, DatasetDigest: "sha256:d", TargetsDigest: "sha256:t",
		MachineKind: record.MachineKind{CPU: "made", CPUs: 2, MemoryGiB: 8, Architecture: "amd64"}}
	blocks := madeBlocks(factor)
	if change != nil {
		change(&m, blocks)
	}
	steps := []error{run.WriteExperiment([]byte(judgedExperiment)), run.WriteManifest(m)}
	for _, b := range blocks {
		steps = append(steps, run.AppendBlock(b))
	}
	for _, err := range append(steps, run.Close()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func madeBlocks(factor float64) []record.Block {
	draw := rand.New(rand.NewPCG(3, 4))
	var blocks []record.Block
	for i := range 40 {
		b := record.Block{Pair: i / 2, Order: i % 2, Arm: "base", Launch: i / 2, Start: time.Unix(int64(i), 0), Length: 1, Due: 100, Released: 100, Answered: 100}
		v := 0.001 * math.Exp(0.02*draw.NormFloat64())
		if i%2 == 1 {
			b.Arm = "candidate"
			v *= factor
		}
		b.Metrics = []record.Value{{Metric: "ttfb.p50", Value: v, N: 100}, {Metric: "ttfb.p90", Value: 2 * v, N: 100}, {Metric: "ttfb.p95", Value: 3 * v, N: 100}, {Metric: "errors.ratio", N: 100}}
		blocks = append(blocks, b)
	}
	return blocks
}

// gateCommand runs `switchback gate` and returns its output and exit code.
func gateCommand(args ...string) (out string, code int) {
	var stdout bytes.Buffer
	cmd := newGateCommand()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(args)
	cmd.SetOut(&stdout)
	if err := cmd.Execute(); err != nil {
		code, _ = codeOf(err, true)
		return stdout.String() + err.Error(), code
	}
	return stdout.String(), 0
}

func TestGateExitCodes(t *testing.T) {
	noisy := func(_ *record.Manifest, blocks []record.Block) {
		for i := range blocks {
			blocks[i].Generator.Steal = 0.3
		}
	}
	otherMachine := func(m *record.Manifest, _ []record.Block) { m.MachineKind.CPUs = 64 }
	same, slower, margin := judgedRun(t, 1, nil), judgedRun(t, 1.3, nil), judgedRun(t, 1.05, nil)
	for _, c := range []struct {
		name string
		args []string
		want int
		say  string
	}{
		{"pass", []string{same}, 0, "verdict: pass"},
		{"regression", []string{slower}, 99, "verdict: regression"},
		{"inconclusive is a warning", []string{margin}, 0, "pairs would decide"},
		{"inconclusive is strict", []string{margin, "--strict"}, 3, "verdict: inconclusive"},
		{"invalid", []string{judgedRun(t, 1, noisy)}, 4, "the hypervisor took"},
		{"no folder", []string{filepath.Join(t.TempDir(), "none")}, 1, "no such file"},
		{"bad alpha", []string{same, "--alpha", "2"}, 2, "outside"},
		{"no reference", []string{same, "--reference", "none.json"}, 5, "no reference"},
		{"another machine", []string{judgedRun(t, 1, otherMachine), "--reference", same}, 5, "machine kind differs"},
		{"another machine, forced", []string{judgedRun(t, 1, otherMachine), "--reference", same, "--force"}, 0, "forced comparison"},
		{"reference, the same", []string{same, "--reference", same}, 0, "unpaired comparison"},
		{"reference, slower", []string{slower, "--reference", same}, 99, "verdict: regression"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, code := gateCommand(c.args...)
			if code != c.want || !strings.Contains(out, c.say) {
				t.Errorf("exit code %d, want %d and %q in:\n%s", code, c.want, c.say, out)
			}
		})
	}
}

func TestGateStoresAReference(t *testing.T) {
	file := filepath.Join(t.TempDir(), "references", "main.json")
	if out, code := gateCommand(judgedRun(t, 1, nil), "--save-reference", file); code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	out, code := gateCommand(judgedRun(t, 1.3, nil), "--reference", file, "--json")
	if code != 99 {
		t.Fatalf("exit code %d, want 99", code)
	}
	var s record.Summary
	if err := json.Unmarshal([]byte(out[:strings.LastIndexByte(out, '}')+1]), &s); err != nil {
		t.Fatal(err)
	}
	if c := s.Metrics[0].Change["candidate"]; !(c.Low < 1.3 && 1.3 < c.High) || s.Baseline != "reference" {
		t.Errorf("change %+v against %s, want 1.3 inside", c, s.Baseline)
	}
}
