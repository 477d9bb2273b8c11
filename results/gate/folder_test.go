package gate

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"switchback/results/record"
)

func writeText(path, text string) error { return os.WriteFile(path, []byte(text), 0o666) }

// writeRun writes a run folder of some pairs with their histograms: blocks of
// 100 requests of 1 ms, in which one request of the candidate takes long.
func writeRun(t *testing.T, pairs int, long time.Duration) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	run, err := record.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	steps := []error{run.WriteManifest(record.Manifest{Run: "stored", Experiment: "stored"})}
	for i := range 2 * pairs {
		b := record.Block{Pair: i / 2, Order: i % 2, Arm: both()[i%2], Launch: i / 2, Length: 0.1, Due: 100, Released: 100,
			Start: time.Unix(1_000_000, 0).Add(time.Duration(i)*time.Second + 123_999*time.Microsecond).UTC()}
		m := record.Measure(samples(b.Arm == "candidate", long), []record.Label{{Host: "a.example"}}, int64(time.Second))
		b.Metrics = m.Values()
		steps = append(steps, run.AppendBlock(b), run.AppendHistograms(b, m))
	}
	for _, err := range append(steps, run.Close()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func samples(slow bool, long time.Duration) []record.Sample {
	all := make([]record.Sample, 100)
	for i := range all {
		took := int64(time.Millisecond)
		if slow && i == 50 {
			took = int64(long)
		}
		due := int64(i) * int64(time.Millisecond)
		all[i] = record.Sample{Due: due, Released: due, Sent: due, FirstByte: due + took, Done: due + took, Status: 200}
	}
	return all
}

// A run folder gives the quantiles of all requests and the slowest requests of
// each block.
func TestJudgeARunFolder(t *testing.T) {
	folder, err := record.Open(writeRun(t, 12, 300*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	run, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	if got := run.Tail.Threshold; got < 0.29 || got > 0.31 {
		t.Errorf("p99.9 of all requests is %v s, want 0.3", got)
	}
	if len(run.Tail.Over) != 24 {
		t.Errorf("%d blocks have a count of slow requests, want all 24", len(run.Tail.Over))
	}
	s, err := Summarise(run, Rules{Arms: both()})
	if err != nil || s.Pairs != 12 {
		t.Fatalf("%+v, %v", s, err)
	}
	pooled := map[string]bool{}
	for _, m := range s.Metrics {
		pooled[m.Name] = m.Pooled
	}
	if pooled["ttfb.p50"] || !pooled["ttfb.p99"] || !pooled["ttfb.p999"] {
		t.Errorf("pooled metrics %v: p50 is held by 100 requests, p99 is not", pooled)
	}
}
