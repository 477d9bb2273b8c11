package gate

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"switchback/results/record"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with testdata/name and leaves .got-name beside it when
// they differ.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		written := filepath.Join("testdata", ".got-"+name)
		if err := os.WriteFile(written, got, 0o666); err != nil {
			t.Fatal(err)
		}
		t.Errorf("output differs from %s; it is in %s", path, written)
	}
}

func TestExplain(t *testing.T) {
	bounds := []Bound{
		{Metric: "ttfb.p50", MaxRegression: amount(t, "5%"), Line: 12},
		{Metric: "ttfb.p50", Max: amount(t, "10ms"), Line: 13},
		{Metric: "cache.hit_ratio", MaxIncrease: amount(t, "1%"), Line: 14},
	}
	for _, c := range []struct {
		file   string
		factor float64
		pairs  int
		change func(*Run, *Rules)
	}{
		{"pass.txt", 1, 20, nil},
		{"regression.txt", 1.2, 20, nil},
		{"inconclusive.txt", 1.06, 20, nil},
		{"short.txt", 1, 3, nil},
		{"invalid.txt", 1, 20, func(run *Run, _ *Rules) {
			for i := range run.Blocks[:30] {
				run.Blocks[i].Generator.Foreign = 0.2
			}
		}},
		{"dead.txt", 1, 20, func(run *Run, _ *Rules) {
			run.Blocks = run.Blocks[:12]
			run.Blocks[11].Dead = true
		}},
		{"missing.txt", 1, 20, func(_ *Run, rules *Rules) { rules.Bounds[0].Group = "size=7" }},
	} {
		t.Run(c.file, func(t *testing.T) {
			run := made{pairs: c.pairs, arms: both(), values: noisy(c.factor)}.run()
			rules := Rules{Bounds: append([]Bound(nil), bounds...)}
			if c.change != nil {
				c.change(&run, &rules)
			}
			s, _ := Summarise(run, rules) // a gate that compared nothing is in the summary
			var out bytes.Buffer
			if err := Explain(&out, s); err != nil {
				t.Fatal(err)
			}
			golden(t, c.file, out.Bytes())
		})
	}
}

// A share of a baseline that is always 0 is no number; the test is one all the
// same, and its p is shown.
func TestNoRatioToZero(t *testing.T) {
	m := made{pairs: 20, arms: both(), values: two("origin.requests", 0, 100)}
	g, _ := judgeOne(t, m, Bound{Metric: "origin.requests", MaxRegression: amount(t, "10%")})
	if want := "no ratio: the baseline is 0; p < 0.001 against no change"; g.Verdict != record.Regression || Grounds(g)[0] != want {
		t.Errorf("%s, %q, want %q", g.Verdict, Grounds(g), want)
	}
}

// A bound on an arm's own value compares nothing with anything.
func TestOwnValueMissing(t *testing.T) {
	run := made{pairs: 20, arms: both(), values: two("ttfb.p50", 1e-3, 1e-3)}.run()
	s, _ := Summarise(run, Rules{Arms: both(), Bounds: []Bound{{Metric: "ttfb.p99", Max: amount(t, "1s")}}})
	if want := "no block of the arm has a value"; s.Gates[0].Reason != want {
		t.Errorf("reason %q, want %q", s.Gates[0].Reason, want)
	}
}
