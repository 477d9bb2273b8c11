package record

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

func create(t *testing.T) *Run {
	t.Helper()
	r, err := Create(filepath.Join(t.TempDir(), "runs", "r"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Open(dir)
	must(t, err)
	return f
}

func TestNewName(t *testing.T) {
	at := time.Date(2026, 11, 30, 2, 2, 3, 0, time.FixedZone("", 3600))
	name := NewName(at, "pages-routing")
	if !regexp.MustCompile(`^20261130T010203Z-pages-routing-[0-9a-f]{4}$`).MatchString(name) {
		t.Errorf("name %q", name)
	}
	names := map[string]bool{}
	for range 5 {
		names[NewName(at, "pages-routing")] = true
	}
	if len(names) == 1 {
		t.Error("five names of one second are equal")
	}
}

func TestCreateRefusesAFolderThatExists(t *testing.T) {
	r := create(t)
	if _, err := Create(r.Dir); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), r.Dir) {
		t.Errorf("error %v, want one that names the folder and wraps ErrExists", err)
	}
	must(t, r.Close())
}

// sampleBlock is a block with two requests of which one failed.
func sampleBlock(pair int) (Block, []Sample, []Label) {
	labels := []Label{{Host: "a.example.pages.dev", Path: "/", Groups: []string{"size=10"}}, {Host: "b.example.pages.dev", Path: "/x"}}
	ok := answered(0, 1000, 2000, 3000, 4000, 5000)
	ok.ServerTiming, ok.TraceID = []byte("route;dur=1, cache;desc=hit, node;desc=n3"), [16]byte{0xab, 15: 1}
	refused := Sample{Target: 1, Due: 2000, Released: 2500, Sent: Never, FirstByte: Never, Done: 9000, Error: ErrDial}
	b := Block{Pair: pair, Order: 1, Arm: "legacy", Start: time.UnixMilli(1_796_000_000_123 + int64(pair)*4000).UTC(), Length: 3.4, Due: 2, Released: 2, Answered: 1,
		Errors: map[string]int{"dial": 1}, Generator: Generator{CPU: 0.5, Steal: 0.01}, Notes: []string{"a note"}}
	return b, []Sample{ok, refused}, labels
}

// writeBlocks writes n blocks, all of their files.
func writeBlocks(t *testing.T, r *Run, n int) []Block {
	t.Helper()
	var blocks []Block
	for pair := range n {
		b, samples, labels := sampleBlock(pair)
		m := Measure(samples, labels, 10_000)
		b.Metrics = m.Values()
		must(t, r.AppendBlock(b))
		must(t, r.AppendHistograms(b, m))
		must(t, r.AppendSamples(b, samples, labels))
		b.Schema = BlockSchema
		blocks = append(blocks, b)
	}
	return blocks
}

func TestRunIsReadAsItWasWritten(t *testing.T) {
	r := create(t)
	manifest := Manifest{Run: "r", Experiment: "pages-routing", Seed: 1<<63 + 1, Order: [][]string{{"legacy", "hashed"}}, Start: time.Unix(5, 0).UTC()}
	must(t, r.WriteExperiment([]byte("name: x\n")))
	must(t, r.WriteManifest(manifest))
	blocks := writeBlocks(t, r, 3)
	manifest.End = time.Unix(9, 0).UTC()
	must(t, r.WriteManifest(manifest))
	summary := Summary{Experiment: "pages-routing", Arms: []string{"legacy"}, Verdict: Pass, Gates: []Gate{}, Metrics: []Metric{}, Validity: Validity{OK: true, Notes: []string{}}}
	must(t, r.WriteSummary(summary))
	must(t, r.Close())

	f := open(t, r.Dir)
	manifest.Schema, summary.Schema = ManifestSchema, SummarySchema
	for _, c := range []struct{ what, got, want any }{
		{"manifest", f.Manifest, manifest}, {"blocks", f.Blocks, blocks}, {"summary", *f.Summary, summary},
		{"experiment", string(f.Experiment), "name: x\n"}, {"cut", f.Cut, false},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%v: read %+v, wrote %+v", c.what, c.got, c.want)
		}
	}
}

// TestBlocksAreOnDiskAsEachEnds: a run that is killed, here one that is never
// closed, keeps them.
func TestBlocksAreOnDiskAsEachEnds(t *testing.T) {
	r := create(t)
	must(t, r.WriteManifest(Manifest{Run: "r"}))
	writeBlocks(t, r, 2)
	f := open(t, r.Dir)
	if len(f.Blocks) != 2 || f.Summary != nil {
		t.Errorf("%d blocks and summary %v, want 2 and none", len(f.Blocks), f.Summary)
	}
	pool, err := f.Pool(nil)
	must(t, err)
	if h := pool.Histogram("legacy", "ttfb", ""); h == nil || h.N() != 4 {
		t.Errorf("pooled ttfb %v, want 4 values", h)
	}
	_, err = os.Stat(filepath.Join(r.Dir, SamplesFile))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s has its name before it is complete", SamplesFile)
	}
	must(t, r.Close())
}

func TestValuesThatAreNoNumbersAreLeftOut(t *testing.T) {
	r := create(t)
	must(t, r.WriteManifest(Manifest{}))
	must(t, r.AppendBlock(Block{Metrics: []Value{{Metric: "a", Value: math.NaN()}, {Metric: "b", Value: 1}, {Metric: "c", Value: math.Inf(1)}}}))
	must(t, r.Close())
	if got := open(t, r.Dir).Blocks[0].Metrics; len(got) != 1 || got[0].Metric != "b" {
		t.Errorf("metrics %v, want b alone", got)
	}
}

// TestHistogramLogIsReadByHdrHistogram: the library's own reader finds the
// counts, tags and times that were written.
func TestHistogramLogIsReadByHdrHistogram(t *testing.T) {
	r := create(t)
	blocks := writeBlocks(t, r, 2)
	must(t, r.Close())
	log, err := os.Open(filepath.Join(r.Dir, HistogramsFile))
	must(t, err)
	defer log.Close()
	reader := hdr.NewHistogramLogReader(log)
	found := map[string]int64{}
	for {
		h, err := reader.NextIntervalHistogram()
		must(t, err)
		if h == nil {
			break
		}
		found[fmt.Sprintf("%s@%d+%d", h.Tag(), h.StartTimeMs(), h.EndTimeMs()-h.StartTimeMs())] += h.TotalCount()
	}
	for _, b := range blocks {
		at := fmt.Sprintf("@%d+3400", b.Start.UnixMilli())
		for tag, want := range map[string]int64{"legacy/ttfb": 1, "legacy/ttfb/size=10": 1, "legacy/ttfb/cache=hit": 1, "legacy/phase.route/cache=hit": 0, "legacy/lateness": 2} {
			if found[tag+at] != want {
				t.Errorf("%s%s has %d values, want %d; the log has %v", tag, at, found[tag+at], want, found)
			}
		}
	}
}

func TestHistogramsOfARunAreReadInOrder(t *testing.T) {
	r := create(t)
	must(t, r.WriteManifest(Manifest{}))
	blocks := writeBlocks(t, r, 3)
	must(t, r.Close())
	var starts []time.Time
	must(t, open(t, r.Dir).Histograms(nil, func(i Interval) error {
		if i.Arm == "legacy" && i.Metric == "service_ttfb" && i.Group == "" {
			starts = append(starts, i.Start)
			if got := i.Statistic("max"); i.Answered().N() != 1 || i.Failed() != 1 || !near(got, 1e-6) {
				t.Errorf("service_ttfb has %d values, max %v; want one of 1 µs and one that failed", i.N(), got)
			}
		}
		return nil
	}))
	if want := []time.Time{blocks[0].Start, blocks[1].Start, blocks[2].Start}; !reflect.DeepEqual(starts, want) {
		t.Errorf("blocks at %v, want %v", starts, want)
	}
}

func TestSamplesAreRowsOfParquet(t *testing.T) {
	r := create(t)
	writeBlocks(t, r, 2)
	must(t, r.Close())
	rows, err := parquet.ReadFile[SampleRow](filepath.Join(r.Dir, SamplesFile))
	must(t, err)
	if len(rows) != 4 {
		t.Fatalf("%d rows, want 4", len(rows))
	}
	at := func(v int64) *int64 { return &v }
	want := []SampleRow{
		{Arm: "legacy", Pair: 1, Order: 1, Target: 0, Host: "a.example.pages.dev", Path: "/", Due: 1000, Released: at(2000), Sent: at(3000),
			FirstByte: at(4000), Done: at(5000), Status: 200, RightStatus: true, Cache: "hit", Node: "n3",
			ServerTiming: "route;dur=1, cache;desc=hit, node;desc=n3", TraceID: "ab000000000000000000000000000001"},
		{Arm: "legacy", Pair: 1, Order: 1, Target: 1, Host: "b.example.pages.dev", Path: "/x", Due: 2000, Released: at(2500), Done: at(9000), Error: "dial"},
	}
	if !reflect.DeepEqual(rows[2:], want) {
		t.Errorf("rows %+v\nwant %+v", rows[2:], want)
	}
}

// TestManySamplesAreWrittenInGroups: what is held in memory is bounded.
func TestManySamplesAreWrittenInGroups(t *testing.T) {
	r := create(t)
	must(t, r.WriteManifest(Manifest{Version: "1.2.3", Commit: "abc"}))
	b, samples, labels := sampleBlock(0)
	many := make([]Sample, rowsPerGroup+1000)
	for i := range many {
		many[i] = samples[i%2]
	}
	must(t, r.AppendSamples(b, many, labels))
	must(t, r.Close())
	file, err := os.Open(filepath.Join(r.Dir, SamplesFile))
	must(t, err)
	defer file.Close()
	info, err := file.Stat()
	must(t, err)
	p, err := parquet.OpenFile(file, info.Size())
	must(t, err)
	if len(p.RowGroups()) != 2 || p.NumRows() != int64(len(many)) {
		t.Errorf("%d groups with %d rows, want 2 with %d", len(p.RowGroups()), p.NumRows(), len(many))
	}
	if got, want := p.Metadata().CreatedBy, "switchback version 1.2.3(build abc)"; got != want {
		t.Errorf("created by %q, want %q", got, want)
	}
}

func TestSeriesIsCompressedCSV(t *testing.T) {
	r := create(t)
	second := Second{Time: time.Unix(1_796_000_000, 0), Arm: "legacy", Rate: 149.5, OriginRequests: 20, HitRatio: 0.975, Memory: 64 << 20, CPU: 0.81, Flags: 7, Cell: "lru=1,n=2"}
	must(t, r.AppendSeries([]Second{second}))
	second.HitRatio = math.NaN()
	must(t, r.AppendSeries([]Second{second}))
	want := "time,arm,rate,origin_requests,hit_ratio,rss,cpu,flags,cell\n" +
		"2026-11-30T00:53:20.000Z,legacy,149.5,20,0.975,67108864,0.81,7,\"lru=1,n=2\"\n" +
		"2026-11-30T00:53:20.000Z,legacy,149.5,20,,67108864,0.81,7,\"lru=1,n=2\"\n"
	path := filepath.Join(r.Dir, SeriesFile)
	before, err := unpack(path)
	if string(before) != want || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("before the end the file has %q (%v), want all lines and no end", before, err)
	}
	must(t, r.Close())
	after, err := unpack(path)
	if string(after) != want || err != nil {
		t.Errorf("file has %q (%v), want %q", after, err, want)
	}
	rows, err := csv.NewReader(bytes.NewReader(after)).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Errorf("%d rows of CSV, %v", len(rows), err)
	}
}

func unpack(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return io.ReadAll(d)
}

func TestCompareFindsAnswersThatDiffer(t *testing.T) {
	_, _, labels := sampleBlock(0)
	a := []Sample{answered(0, 0, 0, 0, 0, 0), answered(1, 0, 0, 0, 0, 0), answered(1, 0, 0, 0, 0, 0)}
	b := []Sample{answered(0, 5, 5, 5, 5, 5), answered(1, 0, 0, 0, 0, 0), answered(1, 0, 0, 0, 0, 0)}
	b[1].BodyHash, b[1].Error = 7, ErrBody
	b[2].Error, b[2].Status = ErrTimeout, 0
	differ, all, first := Compare(3, []string{"legacy", "hashed"}, [][]Sample{a, b}, labels)
	if differ != 1 || all != 2 {
		t.Errorf("%d of %d differ, want 1 of 2: a request without an answer is no difference", differ, all)
	}
	want := []Difference{{Pair: 3, Target: 1, Host: "b.example.pages.dev", Path: "/x",
		Arms: map[string]Answer{"legacy": {Status: 200}, "hashed": {Status: 200, BodyHash: 7}}}}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("differences %+v, want %+v", first, want)
	}
}

func TestFirstHundredDifferencesAreKept(t *testing.T) {
	r := create(t)
	for range 3 {
		must(t, r.AppendDifferences(make([]Difference, 40)))
	}
	must(t, r.Close())
	data, err := os.ReadFile(filepath.Join(r.Dir, DifferencesFile))
	must(t, err)
	if n := bytes.Count(data, []byte("\n")); n != 100 {
		t.Errorf("%d lines, want 100", n)
	}
}

// TestInfiniteEndsSurviveJSON: they are null in the file, as JSON has no
// infinity, and infinite again when read.
func TestInfiniteEndsSurviveJSON(t *testing.T) {
	end := rapid.OneOf(rapid.Just(math.Inf(1)), rapid.Just(math.Inf(-1)), rapid.Float64Range(-1e9, 1e9))
	rapid.Check(t, func(t *rapid.T) {
		high := rapid.OneOf(rapid.Just(math.Inf(1)), rapid.Float64Range(-1e9, 1e9)).Draw(t, "high")
		low := min(end.Draw(t, "low"), high)
		if math.IsInf(low, 1) {
			low = 0
		}
		c := Change{Ratio: 0.5, Low: low, High: high, P: 0.25, Pairs: 12, MDE: 0.1}
		g := Gate{Metric: "ttfb.p50", Arm: "b", Lower: low, Upper: high, P: 1, Verdict: Pass, Line: 3, MDE: 0.1, PairsNeeded: 40}
		var backC Change
		var backG Gate
		for in, out := range map[any]any{c: &backC, g: &backG} {
			data, err := json.Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, out); err != nil {
				t.Fatal(err)
			}
		}
		if backC != c || backG != g {
			t.Fatalf("read %+v and %+v, wrote %+v and %+v", backC, backG, c, g)
		}
	})
}

func TestLargestFloatIsAnInfiniteEnd(t *testing.T) {
	data, err := json.Marshal(Gate{Lower: -math.MaxFloat64, Upper: math.MaxFloat64})
	must(t, err)
	for _, want := range []string{`"lower":null`, `"upper":null`} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("%s does not hold %s", data, want)
		}
	}
}
