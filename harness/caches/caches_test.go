package caches

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"switchback/datasets"
	"switchback/harness/scratch"
)

const (
	storeName   = "stores/published-00ff"
	programName = "programs/11ff"
	datasetName = "datasets/22ff.zst"
)

// filled is a folder with an entry of each kind, which were used in the order store,
// program, dataset, an hour apart, the last one at the instant.
func filled(t *testing.T) (root string, last time.Time) {
	t.Helper()
	root = t.TempDir()
	write(t, root, storeName+"/000001.sst", strings.Repeat("x", 1000))
	write(t, root, programName+"/program", "x")
	write(t, root, programName+"/about.json", `{"source": "./server at main", "commit": "0123456789abcdef", "go": "go1.26"}`)
	write(t, root, datasetName, "")
	f, err := os.Create(filepath.Join(root, datasetName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := datasets.Generate(f, 7, datasets.Settings{Sizes: []int{3}}.WithDefaults()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	last = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i, name := range []string{datasetName, programName, storeName} {
		at := last.Add(-time.Duration(i) * time.Hour)
		if err := os.Chtimes(filepath.Join(root, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	return root, last
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, root string, entries []Entry) (names []string) {
	t.Helper()
	for _, e := range entries {
		name, err := filepath.Rel(root, e.Path)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// TestListSaysWhatThereIs lists an entry of each kind, and nothing else that lies beside.
func TestListSaysWhatThereIs(t *testing.T) {
	root, last := filled(t)
	for _, name := range []string{"stores/unfinished-1/x", "stores/mine/x", "datasets/mine.zst", "datasets/.22ff.zst1", "programs/notes", "run-1/x"} {
		write(t, root, name, "x")
	}
	all, err := List(root)
	if got, want := strings.Join(names(t, root, all), " "), storeName+" "+programName+" "+datasetName; err != nil || got != want {
		t.Fatalf("%s, %v; want %s", got, err, want)
	}
	if all[0].Bytes != 1000 || !all[2].LastUsed.Equal(last) || all[0].Kind != Stores {
		t.Errorf("%+v", all)
	}
	if want := "./server at main, commit 0123456789ab, go1.26"; all[1].What != want {
		t.Errorf("the program is %q, want %q", all[1].What, want)
	}
	if want := "seed 7, 1 named projects, tail 0"; !strings.HasPrefix(all[2].What, want) {
		t.Errorf("the dataset is %q, want %q", all[2].What, want)
	}
}

// TestListSaysWhatIsDamaged cuts entries.
func TestListSaysWhatIsDamaged(t *testing.T) {
	root, _ := filled(t)
	write(t, root, datasetName, "x")
	write(t, root, programName+"/about.json", "{")
	all, err := List(root)
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, e := range all {
		if e.Kind != Stores && !strings.HasPrefix(e.What, "damaged") {
			t.Errorf("%s is %q", e.Path, e.What)
		}
	}
}

// TestCleanRemovesWhatIsOld removes what was used before an instant; a second time there
// is nothing to remove.
func TestCleanRemovesWhatIsOld(t *testing.T) {
	root, last := filled(t)
	for _, want := range []string{storeName + " " + programName, ""} {
		freed, err := Clean(root, last)
		if got := strings.Join(names(t, root, freed), " "); err != nil || got != want {
			t.Errorf("freed %s, %v; want %s", got, err, want)
		}
	}
	Used(filepath.Join(root, datasetName))
	if freed, err := Clean(root, last.Add(time.Hour)); err != nil || len(freed) > 0 {
		t.Errorf("of what was used since: %v, %v", freed, err)
	}
	if left, err := filepath.Glob(filepath.Join(root, "*", "*")); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v; want the dataset", left, err)
	}
	if freed, err := Clean(filepath.Join(root, "nowhere"), last); err != nil || len(freed) > 0 {
		t.Errorf("where nothing is: %v, %v", freed, err)
	}
}

// TestCleanWaitsForRuns checks that nothing is removed while a run uses the caches.
func TestCleanWaitsForRuns(t *testing.T) {
	root, last := filled(t)
	run, err := scratch.Share(root)
	if err != nil {
		t.Fatal(err)
	}
	later := last.Add(time.Minute)
	if freed, err := Clean(root, later); !errors.Is(err, ErrUsed) || len(freed) > 0 {
		t.Errorf("while a run uses it: %v, %v", freed, err)
	}
	run.Release()
	if freed, err := Clean(root, later); err != nil || len(freed) != 3 {
		t.Errorf("afterwards: %v, %v", freed, err)
	}
}
