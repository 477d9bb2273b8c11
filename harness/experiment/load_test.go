package experiment

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// parse loads a file that must be right.
func parse(t testing.TB, source string) *Experiment {
	t.Helper()
	e, err := Parse("test.yaml", []byte(source))
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, source)
	}
	return e
}

// written is the experiment as a file.
func written(t testing.TB, e *Experiment) string {
	t.Helper()
	text, err := e.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sameBack checks that an experiment loads back from what Marshal writes,
// cell by cell.
func sameBack(t testing.TB, e *Experiment) {
	t.Helper()
	back := parse(t, written(t, e))
	same(t, e, back)
	want, err := e.Cells()
	if err != nil {
		t.Fatal(err)
	}
	got, err := back.Cells()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d cells, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Name != want[i].Name || !reflect.DeepEqual(got[i].At, want[i].At) {
			t.Errorf("cell %d is %q, want %q", i, got[i].Name, want[i].Name)
		}
		same(t, want[i].Experiment, got[i].Experiment)
	}
}

func same(t testing.TB, want, got *Experiment) {
	t.Helper()
	if a, b := bare(want), bare(got); !reflect.DeepEqual(a, b) {
		t.Errorf("loaded back\n%s\nwant\n%s", written(t, got), written(t, want))
	}
}

// bare is an experiment without what depends on the layout of its file. A
// sweep is compared by its cells.
func bare(e *Experiment) *Experiment {
	b := *e.clone()
	b.Source, b.Path, b.lines, b.given = nil, "", nil, nil
	for i := range b.Gate.Bounds {
		b.Gate.Bounds[i].Line = 0
	}
	if len(b.Sweep) > 0 {
		b = Experiment{Name: b.Name, About: b.About, Origin: b.Origin, Blocks: b.Blocks, Gate: b.Gate, Sweep: b.Sweep, ShortForm: b.ShortForm}
	}
	return &b
}

// Some editors begin a file with a byte order mark; lines are counted as without it.
// TestARateNeedsNoUnit: a rate is read from a file as --rate reads it.
func TestARateNeedsNoUnit(t *testing.T) {
	bare, with := parse(t, twoArms+"load: {rate: 1000}\n"), parse(t, twoArms+"load: {rate: 1000/s}\n")
	if bare.Load.Rate != 1000 || written(t, bare) != written(t, with) {
		t.Errorf("1000 is read as %v and 1000/s as %v", bare.Load.Rate, with.Load.Rate)
	}
}

func TestByteOrderMark(t *testing.T) {
	if e := parse(t, "\ufeff"+twoArms); e.Name != parse(t, twoArms).Name {
		t.Errorf("the name is %q", e.Name)
	}
	if _, err := Parse("f.yaml", []byte("\ufeffnaem: x\n")); err == nil || !strings.Contains(err.Error(), `f.yaml:1: unknown key "naem"`) {
		t.Errorf("error %v, want one of line 1", err)
	}
}

func TestBuiltinsLoadBack(t *testing.T) {
	all, err := Builtins()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		sameBack(t, e)
		short, err := e.Short()
		if err != nil {
			t.Fatal(err)
		}
		sameBack(t, short)
		if e.About == "" {
			t.Errorf("%s: no line about it", e.Name)
		}
	}
	for _, name := range []string{"aa", "pages-routing"} {
		if !slices.ContainsFunc(all, func(e *Experiment) bool { return e.Name == name && e.Path == name }) {
			t.Errorf("%s is not built in", name)
		}
	}
}
