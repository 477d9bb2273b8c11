package kv

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

func TestGet(t *testing.T) {
	s := newStore(t, Options{})
	put(t, s, map[Key]string{{Tables, "a"}: "table", {Entries, "a"}: "entry"})
	for _, c := range []struct {
		key  Key
		want string
		err  error
	}{
		{Key{Tables, "a"}, "table", nil},
		{Key{Entries, "a"}, "entry", nil},
		{Key{Entries, "a"}, "entry", nil},
		{Key{Domains, "a"}, "", ErrNotFound},
		{Key{Tables, ""}, "", ErrNotFound},
	} {
		got, err := Get(s, c.key, Text)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%v: got %q, %v; want %q, %v", c.key, got, err, c.want, c.err)
		}
	}
	stats := s.Stats()
	if got := stats[ClassEntry]; got.Hits != 1 || got.Misses != 1 || got.Read != 5 {
		t.Errorf("entry: got %+v, want 1 hit, 1 miss, 5 bytes read", got)
	}
	if got := stats[ClassTable]; got.Hits != 0 || got.Misses != 3 || got.Read != 5 {
		t.Errorf("table: got %+v, want 3 misses, 5 bytes read", got)
	}
}

func TestGetInTwoForms(t *testing.T) {
	s := newStore(t, Options{})
	k := Key{Tables, "a"}
	put(t, s, map[Key]string{k: "table"})
	for range 2 {
		if got, err := Get(s, k, Text); got != "table" || err != nil {
			t.Errorf("text: got %q, %v", got, err)
		}
		if got, err := Get(s, k, Bytes); string(got) != "table" || err != nil {
			t.Errorf("bytes: got %q, %v", got, err)
		}
	}
}

func TestDecoderErrorNamesTheKey(t *testing.T) {
	s := newStore(t, Options{})
	put(t, s, map[Key]string{{Entries, "\x00a"}: "entry"})
	wrong := errors.New("wrong")
	_, err := Get(s, Key{Entries, "\x00a"}, func([]byte) (string, int64, error) { return "", 0, wrong })
	if !errors.Is(err, wrong) || !strings.Contains(err.Error(), `h/"\x00a"`) {
		t.Errorf("got %v, want the decoder's error and the key", err)
	}
	if got := s.Stats()[ClassEntry].Bytes; got != 0 {
		t.Errorf("%d bytes kept of a value that was not decoded", got)
	}
}

// TestConcurrentMissesDecodeOnce holds the first decoding until all others wait or have
// been answered.
func TestConcurrentMissesDecodeOnce(t *testing.T) {
	s := newStore(t, Options{})
	k := Key{Tables, "a"}
	put(t, s, map[Key]string{k: "table"})
	const callers = 8
	var decoded atomic.Int64
	slow := func(raw []byte) (string, int64, error) {
		decoded.Add(1)
		for s.Stats()[ClassTable].Misses < callers {
		}
		return Text(raw)
	}
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			if got, err := Get(s, k, slow); got != "table" || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	wg.Wait()
	if n := decoded.Load(); n != 1 {
		t.Errorf("%d callers decoded %d times", callers, n)
	}
}

func TestLargerThanTheBoundIsServedNotKept(t *testing.T) {
	s := newStore(t, Options{LRUBytes: 1000})
	put(t, s, map[Key]string{{Tables, "big"}: strings.Repeat("x", 1000), {Entries, "a"}: "entry"})
	for range 2 {
		if _, err := Get(s, Key{Entries, "a"}, Text); err != nil {
			t.Fatal(err)
		}
		if got, err := Get(s, Key{Tables, "big"}, Text); len(got) != 1000 || err != nil {
			t.Fatalf("got %d bytes, %v", len(got), err)
		}
	}
	stats := s.Stats()
	if stats[ClassTable].Bytes != 0 || stats[ClassTable].Misses != 2 {
		t.Errorf("table: got %+v, want 2 misses and nothing kept", stats[ClassTable])
	}
	if stats[ClassEntry].Hits != 1 || stats[ClassEntry].Evictions != 0 {
		t.Errorf("entry: got %+v, want 1 hit and no eviction", stats[ClassEntry])
	}
}

func TestHitDoesNotAllocate(t *testing.T) {
	s := newStore(t, Options{})
	var sum [32]byte
	put(t, s, map[Key]string{{Entries, string(sum[:])}: "entry"})
	get := func() {
		if _, err := Get(s, Key{Entries, string(sum[:])}, Bytes); err != nil {
			t.Fatal(err)
		}
	}
	get()
	if n := testing.AllocsPerRun(1000, get); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestOneProcessAtATime(t *testing.T) {
	dir := t.TempDir()
	openStore(t, dir, Options{})
	t.Chdir(dir)
	for _, name := range []string{dir, "."} {
		if _, err := Open(name, Options{ReadOnly: true}); !errors.Is(err, ErrInUse) {
			t.Errorf("second store in %s: got %v, want ErrInUse", name, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, options := range map[string]Options{
		"missing store":        {MustExist: true},
		"missing, read only":   {ReadOnly: true},
		"negative LRU":         {LRUBytes: -1},
		"negative block cache": {BlockCacheBytes: -1},
		"unknown compression":  {Compression: "lz5"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			s, err := Open(dir, options)
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), dir) {
				t.Errorf("%v does not name the directory", err)
			}
		})
	}
}

func TestCheckpoint(t *testing.T) {
	dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	fillBulk(t, dir, map[Key]string{{Entries, "a"}: "entry"})
	s := openStore(t, dir, Options{})
	if err := s.Checkpoint(copied); err != nil {
		t.Fatal(err)
	}
	if err := s.Checkpoint(copied); err == nil {
		t.Error("a checkpoint over another one succeeded")
	}
	c := openStore(t, copied, Options{MustExist: true})
	put(t, c, map[Key]string{{Entries, "b"}: "new"})
	if got, err := Get(c, Key{Entries, "a"}, Text); got != "entry" || err != nil {
		t.Errorf("got %q, %v from the checkpoint", got, err)
	}
	if _, err := Get(s, Key{Entries, "b"}, Text); !errors.Is(err, ErrNotFound) {
		t.Errorf("a write to the checkpoint reached its origin: %v", err)
	}
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	fillBulk(t, dir, map[Key]string{{Entries, "a"}: "entry"})
	s := openStore(t, dir, Options{ReadOnly: true})
	if got, err := Get(s, Key{Entries, "a"}, Text); got != "entry" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if err := s.Ingest(t.Context(), []string{sortedTable(t, Key{Entries, "b"}, "new")}); err == nil {
		t.Error("a read-only store ingested a file")
	}
	if err := s.Checkpoint(filepath.Join(t.TempDir(), "copy")); err == nil {
		t.Error("a read-only store made a checkpoint")
	}
}

// fillBulk writes values into a new store in dir and closes it.
func fillBulk(t *testing.T, dir string, values map[Key]string) {
	t.Helper()
	s, err := Open(dir, Options{Bulk: true})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, values)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestIngestReplacesWhatTheLRUHolds(t *testing.T) {
	s := newStore(t, Options{})
	k := Key{Entries, "a"}
	put(t, s, map[Key]string{k: "old"})
	if got, err := Get(s, k, Text); got != "old" || err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
	if err := s.Ingest(t.Context(), []string{sortedTable(t, k, "new")}); err != nil {
		t.Fatal(err)
	}
	if got, err := Get(s, k, Text); got != "new" || err != nil {
		t.Errorf("got %q, %v; want the ingested value", got, err)
	}
	if err := s.Ingest(t.Context(), []string{"missing.sst"}); err == nil {
		t.Error("a missing file was ingested")
	}
}

// sortedTable writes a table on disk with one key.
func sortedTable(t *testing.T, k Key, value string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "1.sst")
	file, err := vfs.Default.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(file), sstable.WriterOptions{TableFormat: sstable.TableFormatPebblev4})
	if err := errors.Join(w.Set(k.Append(nil), []byte(value)), w.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}
