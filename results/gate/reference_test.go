package gate

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"switchback/results/record"
)

func referenceOf(t *testing.T, run Run) Reference {
	t.Helper()
	ref, err := NewReference(run, Rules{Arms: both()})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "references", "main.json")
	if err := WriteReference(path, ref); err != nil {
		t.Fatal(err)
	}
	if ref, err = ReadReference(path); err != nil {
		t.Fatal(err)
	}
	return ref
}

// level gives both arms the same value with 2 % of noise.
func level(v float64) Run {
	return made{pairs: 20, arms: both(), values: func(pair int, arm string) []record.Value {
		all := two("ttfb.p50", v, v)(pair, arm)
		all[1].Value *= 1 + 0.02*float64((pair*7)%5-2)
		return all
	}}.run()
}

func TestCompareReference(t *testing.T) {
	ref := referenceOf(t, level(1e-3))
	for _, c := range []struct {
		name  string
		value float64
		bound Bound
		want  string
	}{
		{"slower", 1.3e-3, Bound{MaxRegression: amount(t, "5%")}, record.Regression},
		{"the same", 1e-3, Bound{MaxRegression: amount(t, "5%")}, record.Pass},
		{"at the margin", 1.05e-3, Bound{MaxRegression: amount(t, "5%")}, record.Inconclusive},
		{"absolute", 1.3e-3, Bound{MaxIncrease: amount(t, "100us")}, record.Regression},
		{"faster than asked", 0.5e-3, Bound{MinImprovement: amount(t, "30%")}, record.Pass},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.bound.Metric, c.bound.Arm = "ttfb.p50", "candidate"
			s, err := CompareReference(level(c.value), ref, Rules{Arms: both(), Bounds: []Bound{c.bound}}, false)
			if err != nil || s.Verdict != c.want {
				t.Fatalf("verdict %s, want %s: %+v %v", s.Verdict, c.want, s.Gates, err)
			}
			g := s.Gates[0]
			if (c.want == record.Regression) != (g.P <= g.Alpha) {
				t.Errorf("p %v at alpha %v, verdict %s", g.P, g.Alpha, g.Verdict)
			}
			notes := strings.Join(s.Validity.Notes, "\n")
			if !strings.Contains(notes, "drift between the two runs") || !strings.Contains(notes, "this comparison sees changes of") {
				t.Errorf("notes %q do not say how much weaker it is", notes)
			}
		})
	}
}

func TestReferenceMustFit(t *testing.T) {
	ref := referenceOf(t, level(1e-3))
	rules := Rules{Arms: both(), Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}}}
	for what, change := range map[string]func(*record.Manifest){
		"machine kind": func(m *record.Manifest) { m.MachineKind.CPUs = 7 },
		"dataset":      func(m *record.Manifest) { m.DatasetDigest = "sha256:other" },
		"targets":      func(m *record.Manifest) { m.TargetsDigest = "sha256:other" },
	} {
		run := level(1e-3)
		change(&run.Manifest)
		var mismatch *MismatchError
		if _, err := CompareReference(run, ref, rules, false); !errors.As(err, &mismatch) || !strings.Contains(err.Error(), what+" differs") {
			t.Errorf("%s: %v", what, err)
		}
		if s, err := CompareReference(run, ref, rules, true); err != nil || s.Verdict != record.Pass {
			t.Errorf("%s, forced: %s %v", what, s.Verdict, err)
		}
	}
	rules.Bounds[0].Group = "size=7"
	if s, err := CompareReference(level(1e-3), ref, rules, false); !errors.Is(err, ErrNothingCompared) || s.Verdict != record.Invalid {
		t.Errorf("a group that neither has: %s %v", s.Verdict, err)
	}
}

func TestStoredFilesAreChecked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	for text, say := range map[string]string{
		"":                                  "unexpected end",
		"[]":                                "cannot unmarshal",
		`{"schema":"switchback.summary/1"}`: `expected "switchback.reference/2"`,
		`{"schema":"switchback.reference/2","arms":3}`: "cannot unmarshal",
		`{"schema":"switchback.reference/1"}`:          "its quantiles are of an earlier rule (rank q·n rounded, now ⌈q·n⌉): make it again",
	} {
		if err := writeText(path, text); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadReference(path); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%q: %v, want %q", text, err, say)
		}
	}
}

// A run whose quantiles are of the earlier rule is shown, and not compared with one
// of the new.
func TestQuantilesOfTwoRulesAreNotCompared(t *testing.T) {
	ref, old := referenceOf(t, level(1e-3)), level(1e-3)
	old.Blocks[0].Schema = "switchback.block/1"
	rules := Rules{Arms: both()}
	if _, err := CompareReference(old, ref, rules, true); err == nil || !strings.Contains(err.Error(), "earlier rule") {
		t.Errorf("compared: %v", err)
	}
	if _, err := NewReference(old, rules); err == nil || !strings.Contains(err.Error(), "run it again") {
		t.Errorf("kept as a reference: %v", err)
	}
}
