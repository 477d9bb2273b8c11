package metric

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of docs/metrics.md")

// TestDocsHoldTheTable: docs/metrics.md shows the metrics as `switchback
// metrics` prints them. Run with -update it writes the table anew.
func TestDocsHoldTheTable(t *testing.T) {
	const path, begin, end = "../../docs/metrics.md", "<!-- the table: go test ./results/metric -update -->\n", "<!-- end of the table -->"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(raw), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s: no table between %q and %q", path, begin, end)
	}
	want := before + begin + markdownTable() + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(raw) {
		t.Errorf("%s differs from the table of metrics: run go test ./results/metric -update", path)
	}
}

func markdownTable() string {
	var b strings.Builder
	b.WriteString("| name | unit | better | compared by | one value a | meaning | source |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, l := range Short() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", l.Name, l.Unit, l.Better, l.Compared, l.Of, l.Meaning, l.Source)
	}
	return b.String() + "\n" + Reading() + "\n"
}

// TestMeant: a part of a name, or a word of the meaning, finds a metric.
func TestMeant(t *testing.T) {
	for word, want := range map[string]string{
		"memory": "edge.memory.peak", "edge.memory": "edge.memory.peak", "ttfb": "ttfb.p50", "p99": "ttfb.p99", "cpu": "edge.cpu",
		"errors": "errors.ratio", "hit_ratio": "kv.lru.hit_ratio", "resident": "edge.memory.peak", "evictions": "kv.lru.evictions",
		"": "", "zz": "", "nonsense": "", "a": "",
	} {
		if got := Meant(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestListsAgree(t *testing.T) {
	if got, want := len(List()), len(Short())+len(families())*(len(statistics())-1); got != want {
		t.Errorf("%d metrics in the long list; the short one stands for %d", got, want)
	}
}
