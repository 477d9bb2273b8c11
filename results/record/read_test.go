package record

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// writeReadable writes a folder with samples, seconds and a difference.
func writeReadable(t *testing.T, samples int) *Folder {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	run, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := Block{Schema: BlockSchema, Arm: "hashed", Pair: 3, Order: 1, Start: time.Unix(100, 0).UTC(), Length: 1}
	all := make([]Sample, samples)
	for i := range all {
		all[i] = Sample{Due: int64(i), Released: int64(i) + 1, Sent: int64(i) + 2, FirstByte: int64(i) + 5, Done: int64(i) + 9, Status: 200}
	}
	all[0].FirstByte, all[0].Error = Never, ErrReset
	labels := []Label{{Host: "main.example.pages.dev", Path: "/"}}
	err = errors.Join(run.WriteManifest(Manifest{Schema: ManifestSchema}), run.AppendBlock(b), run.AppendSamples(b, all, labels),
		run.AppendSeries([]Second{{Time: b.Start, Arm: "hashed", Rate: 150, OriginRequests: math.NaN(), HitRatio: 0.5, Memory: 1 << 20, CPU: math.NaN(), Flags: 7}}),
		run.AppendDifferences([]Difference{{Pair: 3, Host: "h", Path: "/p", Arms: map[string]Answer{"hashed": {Status: 404}}}}), run.Close())
	if err != nil {
		t.Fatal(err)
	}
	return &Folder{Dir: dir}
}

func TestSamplesAreReadBack(t *testing.T) {
	const n = 3000
	f := writeReadable(t, n)
	var rows int
	err := f.Samples(func(row *SampleRow) error {
		ns, ok := row.FirstByteAfter()
		want, answered := int64(5), rows > 0 // the first failed
		if !answered {
			want = 0
		}
		if ok != answered || ns != want || row.Arm != "hashed" || row.Pair != 3 || row.Host != "main.example.pages.dev" || row.Due != int64(rows) {
			t.Fatalf("row %d: %+v, %d ns", rows, row, ns)
		}
		rows++
		return nil
	})
	if err != nil || rows != n {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestSamplesStopAtTheFirstError(t *testing.T) {
	stop := errors.New("enough")
	seen := 0
	err := writeReadable(t, 10).Samples(func(*SampleRow) error { seen++; return stop })
	if !errors.Is(err, stop) || seen != 1 {
		t.Errorf("%d rows, %v", seen, err)
	}
}

func TestSamplesPassOnPanicsOfTheCaller(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a panic of the caller became an error of the file")
		}
	}()
	_ = writeReadable(t, 10).Samples(func(*SampleRow) error { panic("mine") })
}

// TestDamagedSamplesAreAnError damages a file in every 13th byte, and cuts it:
// the decoder may read it or refuse it, but not panic.
func TestDamagedSamplesAreAnError(t *testing.T) {
	f := writeReadable(t, 50)
	path := filepath.Join(f.Dir, SamplesFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for at := 0; at < len(whole); at += 13 {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0xff
		for _, data := range [][]byte{damaged, whole[:at]} {
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := f.Samples(func(*SampleRow) error { return nil }); err != nil {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
}

func TestSecondsAreReadBack(t *testing.T) {
	f := writeReadable(t, 1)
	got, err := f.Seconds()
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if s := got[0]; s.Arm != "hashed" || s.Rate != 150 || !math.IsNaN(s.OriginRequests) || s.HitRatio != 0.5 || s.Memory != 1<<20 || s.Flags != 7 || !s.Time.Equal(time.Unix(100, 0)) {
		t.Errorf("%+v", s)
	}
	path := filepath.Join(f.Dir, SeriesFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-3], 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Seconds(); err != nil || len(got) != 1 {
		t.Errorf("cut short: %+v, %v", got, err)
	}
}

func TestReadSecondsRefuses(t *testing.T) {
	head := strings.Join(seriesHeader[:seriesBeforeCells], ",") + "\n"
	if got, _, err := readSeconds(strings.NewReader(head + "2026-11-30T01:02:03.000Z,a,1,1,1,1,1,7\n")); err != nil || len(got) != 1 || got[0].Flags != 7 {
		t.Errorf("without a column of cells: %+v, %v", got, err)
	}
	for name, c := range map[string]struct{ text, says string }{
		"another header": {"a,b\n", "columns"},
		"a time":         {head + "yesterday,a,1,1,1,1,1,1\n", "time"},
		"a number":       {head + "2026-11-30T01:02:03.000Z,a,x,1,1,1,1,1\n", "rate"},
		"infinity":       {head + "2026-11-30T01:02:03.000Z,a,1,Inf,1,1,1,1\n", "origin_requests"},
		"flags":          {head + "2026-11-30T01:02:03.000Z,a,1,1,1,1,1,-1\n", "flags"},
		"a short line":   {head + "2026-11-30T01:02:03.000Z,a\n", "fields"},
	} {
		if _, _, err := readSeconds(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want one that says %q", name, err, c.says)
		}
	}
}

// TestSeriesBombIsRefused: a few kilobytes that are gigabytes without an end of
// a line, or without an end of a quoted field.
func TestSeriesBombIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ unit, want string }{
		"one line":       {strings.Repeat("0", 1<<20), SeriesFile + ":2: line longer than 64 KiB"},
		"one long field": {strings.Repeat(strings.Repeat("0", 1<<10)+"\n", 1<<10), "the file is larger than 256 MiB"},
	} {
		f := writeReadable(t, 1)
		file, err := os.Create(filepath.Join(f.Dir, SeriesFile))
		must(t, err)
		enc, err := zstd.NewWriter(file)
		must(t, err)
		_, err = io.WriteString(enc, strings.Join(seriesHeader[:], ",")+"\n\"")
		must(t, err)
		for range 300 {
			_, err = io.WriteString(enc, c.unit)
			must(t, err)
		}
		must(t, errors.Join(enc.Close(), file.Close()))
		if info, err := os.Stat(file.Name()); err != nil || info.Size() > 200_000 {
			t.Fatalf("%v bytes, %v", info, err)
		}
		if _, err := f.Seconds(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
}

func FuzzReadSeconds(f *testing.F) {
	f.Add(strings.Join(seriesHeader[:], ",") + "\n2026-11-30T01:02:03.000Z,legacy,150,,0.5,1048576,,7\n")
	f.Fuzz(func(t *testing.T, text string) {
		seconds, _, err := readSeconds(strings.NewReader(text))
		for _, s := range seconds {
			if err == nil && (math.IsInf(s.Rate, 0) || s.Flags < 0) {
				t.Errorf("%+v", s)
			}
		}
	})
}

func TestDifferencesAreReadBack(t *testing.T) {
	f := writeReadable(t, 1)
	got, err := f.Differences()
	if err != nil || len(got) != 1 || got[0].Host != "h" || got[0].Arms["hashed"].Status != 404 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(f.Dir, DifferencesFile), []byte("{\"pair\":1}\n{\"pair\":\n{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Differences(); err == nil || !strings.Contains(err.Error(), DifferencesFile+":2:") {
		t.Errorf("%v, want one that names line 2", err)
	}
}

func TestFoldersWithoutTheFiles(t *testing.T) {
	f := &Folder{Dir: t.TempDir()}
	seconds, err := f.Seconds()
	differences, err2 := f.Differences()
	err3 := f.Samples(func(*SampleRow) error { t.Error("a row of nothing"); return nil })
	if seconds != nil || differences != nil || errors.Join(err, err2, err3) != nil {
		t.Errorf("%v, %v, %v", seconds, differences, errors.Join(err, err2, err3))
	}
}

func TestGlance(t *testing.T) {
	f := writeReadable(t, 1)
	glance, err := Glance(f.Dir)
	if err != nil || glance.Summary != nil || glance.Manifest.Schema != ManifestSchema {
		t.Errorf("%+v, %v", glance, err)
	}
	if _, err := Glance(t.TempDir()); err == nil {
		t.Error("a folder that is no run was read")
	}
}

// TestQuantilesAgreeWithTheStatistics checks the curve against the values of
// tables, and that it ascends.
func TestQuantilesAgreeWithTheStatistics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := NewHistogram()
		values := rapid.SliceOfN(rapid.Int64Range(1, 1e10), 1, 300).Draw(t, "values")
		for _, v := range values {
			h.Record(v)
		}
		q := []float64{0, 0.1, 0.5, 0.9, 0.99, 1}
		got := h.Quantiles(q)
		if !slices.IsSorted(got) || got[5] != h.Statistic("max") {
			t.Fatalf("quantiles %v, max %v", got, h.Statistic("max"))
		}
		slices.Sort(values)
		for i, share := range q {
			rank := max(int(math.Ceil(share*float64(len(values)))), 1)
			if want := float64(values[rank-1]) / 1e9; math.Abs(got[i]-want) > 0.0011*want {
				t.Fatalf("quantile %v is %v, want %v", share, got[i], want)
			}
		}
		if sum, want := h.Sum(), mean(values)*float64(len(values)); math.Abs(sum-want) > 0.002*want {
			t.Fatalf("sum %v, want %v", sum, want)
		}
	})
}

func mean(values []int64) float64 {
	var sum float64
	for _, v := range values {
		sum += float64(v) / 1e9
	}
	return sum / float64(len(values))
}
