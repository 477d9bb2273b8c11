package record

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// TestSampleBombsAreRefused: a file whose pages hold much, or may.
func TestSampleBombsAreRefused(t *testing.T) {
	long := strings.Repeat("a", maxPageBytes+1)
	type reversed struct {
		Path string `parquet:"path,delta"`
	}
	for name, c := range map[string]struct {
		write func(f *os.File) error
		want  string
	}{
		"one long text": {func(f *os.File) error { return writeRows(f, &zstd.Codec{}, 2, SampleRow{ServerTiming: long}) }, "expected at most 16 MiB"},
		"a long word":   {func(f *os.File) error { return writeRows(f, &zstd.Codec{}, 2, SampleRow{Host: long}) }, "expected at most 16 MiB"},
		"a long host":   {func(f *os.File) error { return writeRows(f, &zstd.Codec{}, 2, SampleRow{Host: long[:maxText+1]}) }, "a text of 65537 bytes"},
		"another codec": {func(f *os.File) error { return writeRows(f, &gzip.Codec{}, 2, SampleRow{}) }, "compressed with GZIP"},
		"old pages":     {func(f *os.File) error { return writeRows(f, &zstd.Codec{}, 1, SampleRow{}) }, "expected DATA_PAGE_V2"},
		"prefixes":      {func(f *os.File) error { return writeRows(f, &zstd.Codec{}, 2, reversed{"a"}) }, "encoded with DELTA_BYTE_ARRAY"},
	} {
		dir := t.TempDir()
		file, err := os.Create(filepath.Join(dir, SamplesFile))
		must(t, err)
		must(t, c.write(file))
		must(t, file.Close())
		f := &Folder{Dir: dir}
		if err := f.Samples(func(*SampleRow) error { return nil }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
}

func writeRows[Row any](f *os.File, codec compress.Codec, pages int, row Row) error {
	w := parquet.NewGenericWriter[Row](f, parquet.Compression(codec), parquet.DataPageVersion(pages))
	if _, err := w.Write([]Row{row}); err != nil {
		return err
	}
	return w.Close()
}

// TestValuesAreCounted: a few bytes of a page can say that they are thousands
// of millions of values.
func TestValuesAreCounted(t *testing.T) {
	many := binary.AppendUvarint(nil, (maxPageValues+1)<<1)
	for name, c := range map[string]struct {
		encoding format.Encoding
		values   []byte
		want     string
	}{
		"a run":             {format.RLEDictionary, append(append([]byte{1}, 20), 7), ""},
		"a run too long":    {format.RLEDictionary, append(append([]byte{1}, many...), 7), "a page of 1048577 values"},
		"many runs":         {format.RLEDictionary, append([]byte{0}, bytes.Repeat(binary.AppendUvarint(nil, 600_000<<1), 2)...), "a page of 1200000 values"},
		"packed of no bits": {format.RLEDictionary, append([]byte{0}, binary.AppendUvarint(nil, 200_000<<1|1)...), "a page of 1600000 values"},
		"a run cut short":   {format.RLEDictionary, []byte{8, 20}, "malformed"},
		"40 bits":           {format.RLEDictionary, []byte{40, 20, 1}, "malformed"},
		"delta":             {format.DeltaBinaryPacked, []byte{128, 1, 4, 1, 0}, ""},
		"delta of many":     {format.DeltaLengthByteArray, append([]byte{128, 1, 4}, many...), "a page of 2097154 values"},
		"no delta":          {format.DeltaBinaryPacked, []byte{128}, "malformed"},
	} {
		err := checkValues(c.encoding, c.values)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
}

// FuzzCheckRuns: what is counted fits the bound, and nothing panics.
func FuzzCheckRuns(f *testing.F) {
	f.Add([]byte{20, 7, 3, 1}, byte(1))
	f.Fuzz(func(t *testing.T, runs []byte, bits byte) {
		if err := checkRuns(runs, uint64(bits%33)); err == nil && len(runs) > 0 {
			if _, n := binary.Uvarint(runs); n <= 0 {
				t.Fatal("malformed runs were counted")
			}
		}
	})
}
