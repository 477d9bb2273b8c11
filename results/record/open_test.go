package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// written is a folder with a manifest and two blocks.
func written(t *testing.T) string {
	t.Helper()
	r := create(t)
	must(t, r.WriteManifest(Manifest{Run: "r"}))
	writeBlocks(t, r, 2)
	must(t, r.WriteSummary(Summary{}))
	must(t, r.Close())
	return r.Dir
}

// edit replaces the content of a file of a run.
func edit(t *testing.T, dir, name string, change func(string) string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte(change(string(data))), 0o666))
}

func TestOpenToleratesACutLastLine(t *testing.T) {
	for _, keep := range []int{1, 20, 500} {
		dir := written(t)
		edit(t, dir, BlocksFile, func(s string) string {
			second := strings.Index(s, "\n") + 1
			return s[:second+keep]
		})
		f := open(t, dir)
		if len(f.Blocks) != 1 || !f.Cut {
			t.Errorf("%d bytes of the last line: %d blocks, cut %v; want 1 and true", keep, len(f.Blocks), f.Cut)
		}
	}
}

func TestHistogramsTolerateACutLastLine(t *testing.T) {
	dir := written(t)
	whole, cut := 0, 0
	count := func(n *int) func(Interval) error { return func(Interval) error { *n++; return nil } }
	must(t, open(t, dir).Histograms(nil, count(&whole)))
	edit(t, dir, HistogramsFile, func(s string) string { return s[:len(s)-10] })
	must(t, open(t, dir).Histograms(nil, count(&cut)))
	if cut != whole-1 {
		t.Errorf("%d lines of %d after the last was cut", cut, whole)
	}
}

func TestOpenNamesFileAndLine(t *testing.T) {
	for name, c := range map[string]struct {
		file   string
		change func(string) string
		want   string
	}{
		"broken first line": {BlocksFile, func(s string) string { return "{" + s }, "blocks.jsonl:1: "},
		"broken last line":  {BlocksFile, func(s string) string { return s + "nonsense\n" }, "blocks.jsonl:3: "},
		"another schema":    {BlocksFile, func(s string) string { return strings.Replace(s, "block/2", "block/9", 1) }, `blocks.jsonl:1: schema "switchback.block/9", expected "switchback.block/2"`},
		"another manifest":  {ManifestFile, func(s string) string { return `{"schema":"x"}` }, `manifest.json:1: schema "x"`},
		"broken manifest":   {ManifestFile, func(s string) string { return "{\n\"seed\": -1}" }, "manifest.json:2: "},
		"cut summary":       {SummaryFile, func(s string) string { return s[:len(s)/2] }, "summary.json:"},
		"broken histogram":  {HistogramsFile, func(s string) string { return s + "Tag=a/b,1,1,1,HISTxxxx\n" }, "latency.hlog:"},
		"untagged":          {HistogramsFile, func(s string) string { return s + "1,1,1,HISTxxxx\n" }, "expected Tag="},
	} {
		dir := written(t)
		edit(t, dir, c.file, c.change)
		f, err := Open(dir)
		if err == nil {
			err = f.Histograms(nil, func(Interval) error { return nil })
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
	}
}

func TestOpenRefusesAFolderThatIsNoRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o666))
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none"), file} {
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), dir+" is no folder of a run: ") || !strings.Contains(err.Error(), ManifestFile) {
			t.Errorf("error %v, want one that names %s", err, ManifestFile)
		}
	}
}

// TestPipesInARunAreRefused: opening one for reading would wait for a writer, for ever.
func TestPipesInARunAreRefused(t *testing.T) {
	for _, name := range []string{ManifestFile, BlocksFile, SummaryFile, ExperimentFile, HistogramsFile, SeriesFile, SamplesFile} {
		dir := written(t)
		path := filepath.Join(dir, name)
		must(t, os.RemoveAll(path))
		must(t, syscall.Mkfifo(path, 0o600))
		f, err := Open(dir)
		if err == nil {
			_, seconds := f.Seconds()
			err = errors.Join(seconds, f.Histograms(nil, func(Interval) error { return nil }), f.Samples(func(*SampleRow) error { return nil }))
		}
		if err == nil || !strings.Contains(err.Error(), path+" is a pipe: expected a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestIntervalsKeepTheirMillisecond: seconds in text have no room for rounding
// down.
func TestIntervalsKeepTheirMillisecond(t *testing.T) {
	code, err := new(encoder).append(nil, NewHistogram())
	must(t, err)
	for ms := int64(1_796_000_000_000); ms < 1_796_000_001_000; ms++ {
		line := fmt.Sprintf("Tag=a/ttfb,%.3f,1.000,0.000000,%s", float64(ms)/1000, code)
		i, _, err := parseInterval(line)
		if err != nil || i.Start.UnixMilli() != ms {
			t.Fatalf("%d ms is read as %d, %v", ms, i.Start.UnixMilli(), err)
		}
	}
}

// TestBlocksOfOthersAreRefused: a line must be about an arm of the manifest and
// have a place in it.
func TestBlocksOfOthersAreRefused(t *testing.T) {
	notes := `"notes":[""` + strings.Repeat(`,""`, 1_000_000) + `],"launch":0`
	for name, c := range map[string]struct{ from, to, want string }{
		"unknown arm":       {`"arm":"new"`, `"arm":"nEw"`, `blocks.jsonl:2: arm "nEw" is not in the order of manifest.json`},
		"negative pair":     {`"pair":1`, `"pair":-1`, "blocks.jsonl:2: pair -1, order 0, launch 0: expected none below 0"},
		"negative launch":   {`"launch":0`, `"launch":-7`, "blocks.jsonl:1: pair 0, order 0, launch -7"},
		"millions of parts": {`"launch":0`, notes, "blocks.jsonl:4: more than 4000000 values"},
	} {
		r := create(t)
		must(t, r.WriteManifest(Manifest{Run: "r", Order: [][]string{{"old", "new"}}}))
		must(t, r.AppendBlock(Block{Arm: "old"}))
		must(t, r.AppendBlock(Block{Arm: "new", Pair: 1}))
		must(t, r.Close())
		edit(t, r.Dir, BlocksFile, func(s string) string {
			if name == "millions of parts" {
				s += s
			}
			return strings.ReplaceAll(s, c.from, c.to)
		})
		if _, err := Open(r.Dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
	}
}

// TestHistogramsOfOthersAreRefused, as blocks are.
func TestHistogramsOfOthersAreRefused(t *testing.T) {
	f := open(t, written(t))
	f.Manifest.Order = [][]string{{"other"}}
	if _, err := f.Pool(nil); err == nil || !strings.Contains(err.Error(), `is not in the order of manifest.json`) {
		t.Errorf("error %v", err)
	}
}

// TestPoolIsBounded: a line of a hundred bytes can be a histogram that takes a
// page for every power of two.
func TestPoolIsBounded(t *testing.T) {
	r := create(t)
	must(t, r.WriteManifest(Manifest{Run: "r"}))
	must(t, r.Close())
	wide := NewHistogram()
	for ns := int64(1); ns < HighestValue; ns += 1 + ns>>pageBits {
		wide.Record(ns)
	}
	code, err := new(encoder).append(nil, wide)
	must(t, err)
	file, err := os.Create(filepath.Join(r.Dir, HistogramsFile))
	must(t, err)
	out := bufio.NewWriter(file)
	for i := range maxPoolPages / (pages / 2) {
		fmt.Fprintf(out, "Tag=a/ttfb/g=%d,1,1,1,%s\n", i, code)
	}
	must(t, out.Flush())
	must(t, file.Close())
	if _, err := open(t, r.Dir).Pool(nil); err == nil || !strings.Contains(err.Error(), "too many different metrics") {
		t.Errorf("error %v", err)
	}
}

func TestLinesAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"lines that fit":    {strings.Repeat("12345678\n", 12), ""},
		"a line too long":   {"1\n123456789\n", "line longer"},
		"no line ends":      {"123456789", "line longer"},
		"too much in all":   {strings.Repeat("1\n", 51), "the file is larger"},
		"a line in pieces":  {"12\n1234567\n12345678", ""},
		"an empty file":     {"", ""},
		"nothing but lines": {strings.Repeat("\n", 100), ""},
	} {
		for _, piece := range []int{1, 3, 200} {
			in := &boundedLines{from: strings.NewReader(c.text), line: 8, whole: 108}
			if name == "too much in all" {
				in.whole = 100
			}
			_, err := io.CopyBuffer(io.Discard, struct{ io.Reader }{in}, make([]byte, piece))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %d bytes at a time: error %v, want %q in it", name, piece, err, c.want)
			}
		}
	}
}

// FuzzParseInterval: a line of latency.hlog is read or refused, and what is
// read has a name and counts.
func FuzzParseInterval(f *testing.F) {
	h := NewHistogram()
	h.Record(1000)
	encoded, err := new(encoder).append(nil, h)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("Tag=legacy/ttfb/size=10,1796000000.123,3.400,0.001," + string(encoded))
	f.Add("Tag=a/b,1,1,1,HISTFAAAAA")
	f.Add("Tag=a,1,1,1,")
	f.Fuzz(func(t *testing.T, line string) {
		i, text, err := parseInterval(line)
		if err == nil {
			i.Histogram, err = decode([]byte(text))
		}
		if err != nil {
			return
		}
		if i.N() < 0 {
			t.Fatalf("interval %+v without counts", i)
		}
		for _, s := range Statistics() {
			if v := s.Of(i.Histogram); v < 0 {
				t.Fatalf("%s = %v", s.Name, v)
			}
		}
		var p Pool
		p.add(poolKey{i.Arm, i.Metric, i.Group}, i.Histogram)
	})
}
