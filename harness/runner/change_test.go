package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"switchback/datasets"
	"switchback/harness/experiment"
	"switchback/results/record"
)

// Due instants count from the start of the guard, windows from its end.
func TestRequestsAreMarkedByWindow(t *testing.T) {
	e := &experiment.Experiment{Change: []experiment.Change{{At: 100, Window: 100}}, Blocks: experiment.Blocks{Guard: 50}}
	c := &cell{e: e}
	tr := traffic{due: []time.Duration{149, 150, 249, 250}, labels: make([]record.Label, 4)}
	c.markChanges(&tr)
	var got []string
	for _, l := range tr.labels {
		got = append(got, l.Groups...)
	}
	if want := []string{"change=before", "change=in", "change=in", "change=after"}; !slices.Equal(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
}

func hostsOf(t *testing.T, c *content) []string {
	t.Helper()
	var all []string
	if err := c.Hosts(func(host string) bool { all = append(all, host); return true }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestContentGrowsAndShrinks(t *testing.T) {
	c := &content{listed: []string{"a", "b", "c"}}
	last, err := c.change(experiment.Change{AddHosts: 2})
	if all := hostsOf(t, c); err != nil || last != "added-2.example.test" || len(all) != 5 || all[4] != last {
		t.Errorf("after adding: %v, witness %s, %v", all, last, err)
	}
	last, err = c.change(experiment.Change{RemoveHosts: 3})
	if all := hostsOf(t, c); err != nil || last != "added-2.example.test" || !slices.Equal(all, []string{"a", "b"}) {
		t.Errorf("after removing: %v, witness %s, %v", all, last, err)
	}
}

// The hostnames of a dataset come in the order of its tables, beside its
// projects and deployments.
func TestContentOfADataset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.zst")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := datasets.Generate(f, 1, datasets.Settings{Sizes: []int{30, 7}}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	c := &content{dataset: path}
	if all := hostsOf(t, c); int64(len(all)) < info.Deployments || !strings.HasSuffix(all[0], datasets.Suffix) {
		t.Errorf("%d hostnames of %d deployments, the first %s", len(all), info.Deployments, all[0])
	}
	var sites, versions int
	if err := c.Projects(func(p any) bool { sites += p.(Site).Deployments; return true }); err != nil {
		t.Fatal(err)
	}
	if err := c.Deployments(func(d any) bool { versions += min(len(d.(Version).Hosts), 1); return true }); err != nil {
		t.Fatal(err)
	}
	if sites != 37 || versions != 37 {
		t.Errorf("%d deployments of the projects, %d deployments; want 37", sites, versions)
	}
	first := 0
	if err := c.Hosts(func(string) bool { first++; return false }); err != nil || first != 1 {
		t.Errorf("stopped after %d, %v", first, err)
	}
	if err := (&content{dataset: path + "x"}).Hosts(func(string) bool { return true }); err == nil {
		t.Error("a dataset that is not there has hostnames")
	}
}
