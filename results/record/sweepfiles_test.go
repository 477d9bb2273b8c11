package record

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A sweep once lost its cell in two files, so that readers merged the values of
// all cells. Commas and slashes of a cell's name are escaped in tags.
func TestFilesOfASweepNameTheCell(t *testing.T) {
	cells := []string{"deployments=100,lru=16MiB", "deployments=10000,lru=16MiB", "path=a/b,share=5%"}
	r := create(t)
	must(t, r.WriteManifest(Manifest{Run: "r", Order: [][]string{{"legacy"}}}))
	for i, cell := range cells {
		b, samples, labels := sampleBlock(i)
		b.Cell = cell
		m := Measure(samples, labels, 10_000)
		must(t, r.AppendBlock(b))
		must(t, r.AppendHistograms(b, m))
		must(t, r.AppendSamples(b, samples, labels))
	}
	must(t, r.Close())
	f := open(t, r.Dir)
	rows, lines := map[string]int{}, map[string]int{}
	must(t, f.Samples(func(row *SampleRow) error { rows[row.Cell]++; return nil }))
	must(t, f.Histograms(nil, func(i Interval) error {
		if i.Arm != "legacy" || i.Group != "" && i.Group != "size=10" && i.Group != "cache=hit" {
			t.Errorf("a line of arm %q, group %q", i.Arm, i.Group)
		}
		lines[i.Cell]++
		return nil
	}))
	for _, cell := range cells {
		if rows[cell] != 2 || lines[cell] == 0 || len(rows) != 3 || len(lines) != 3 {
			t.Errorf("%s: %d rows, %d lines; of all cells %v, %v", cell, rows[cell], lines[cell], rows, lines)
		}
	}
	log, err := os.ReadFile(filepath.Join(r.Dir, HistogramsFile))
	must(t, err)
	for line := range strings.Lines(string(log)) {
		if strings.HasPrefix(line, "Tag=") && strings.Count(line, ",") != 4 {
			t.Errorf("a line of another number of fields: %.90s", line)
		}
	}
	t.Run("hdr-histogram-js and hyparquet", func(t *testing.T) { checkReaders(t, r.Dir, cells) })
	if want := "Tag=legacy/ttfb/size=10/deployments=100%2Clru=16MiB,"; !strings.Contains(string(log), want) {
		t.Errorf("no line begins %s", want)
	}
}

// checkReaders reads the folder with hdr-histogram-js and hyparquet, which
// `./run.sh test` installs.
func checkReaders(t *testing.T, dir string, cells []string) {
	t.Helper()
	const readers = "../../tools/readers"
	if _, err := os.Stat(filepath.Join(readers, "node_modules")); err != nil {
		t.Skip("tools/readers is not installed: ./run.sh test installs it with npm")
	}
	out, err := exec.Command("node", filepath.Join(readers, "read.mjs"), dir).Output()
	must(t, err)
	var read struct {
		Tags map[string]struct {
			Count, Max float64
		}
		Cells map[string]int
	}
	must(t, json.Unmarshal(out, &read))
	for _, cell := range cells {
		tag := "legacy/latency//" + url.PathEscape(cell)
		if read.Tags[tag].Count != 1 || read.Tags[tag].Max < 3990 || read.Tags[tag].Max > 4010 || read.Cells[cell] != 2 || len(read.Cells) != 3 {
			t.Errorf("%s: %s", tag, out)
		}
	}
}

// Samples that were written before rows had a cell are read.
func TestSamplesWithoutACellAreRead(t *testing.T) {
	type row struct {
		Arm string `parquet:"arm,dict"`
		Due int64  `parquet:"due,delta"`
	}
	path := filepath.Join(t.TempDir(), SamplesFile)
	must(t, parquet.WriteFile(path, []row{{"legacy", 7}}))
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	read := 0
	must(t, readSamples(file, func(r *SampleRow) error {
		read++
		if r.Arm != "legacy" || r.Due != 7 || r.Cell != "" {
			t.Errorf("row %+v", r)
		}
		return nil
	}))
	if read != 1 {
		t.Errorf("%d rows, want 1", read)
	}
}
