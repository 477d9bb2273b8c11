package edge

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"switchback/edge/kv"
	"switchback/edge/routing"
	"switchback/origin"
)

// entryTable writes a sorted table that gives host the entry of another one.
func entryTable(t *testing.T, e *Edge, host, like string) string {
	t.Helper()
	raw, err := kv.Get(e.store, routing.EntryKey(e.hasher.Sum(like)), kv.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(e.options.Store, exchangeFolder, "1.sst")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	file, err := vfs.Default.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	key := routing.EntryKey(e.hasher.Sum(host)).Append(nil)
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(file), sstable.WriterOptions{TableFormat: sstable.TableFormatPebblev4})
	if err := errors.Join(w.Set(key, raw), w.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is ingested is served at once, through the filter too.
func TestIngestedHostIsServed(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	for _, router := range []string{"hashed", "filtered"} {
		t.Run(router, func(t *testing.T) {
			e := w.edge(Options{Router: router})
			want := w.first(false)
			renamed := target{host: "new-name.example.org", path: want.path, body: want.body}
			if got := get(e, "GET", renamed.host, renamed.path); got.Code != 404 {
				t.Fatalf("before: status %d", got.Code)
			}
			if err := adminOf(t, e).Ingest(t.Context(), []string{entryTable(t, e, renamed.host, want.host)}); err != nil {
				t.Fatal(err)
			}
			check(t, e, renamed)
			check(t, e, want)
			if get(e, "GET", "still-unknown.example.org", "/").Code != 404 {
				t.Error("another unknown host is served")
			}
			if f := e.Stats().Filter; router == "filtered" && (f == nil || f.Refused == 0 || f.Bytes == 0) {
				t.Errorf("after the ingestion the filter refuses nothing: %+v", f)
			}
		})
	}
}

func TestNeighboursAreReadBeside(t *testing.T) {
	w := newWorldWithNeighbours(t, smallSettings(), origin.Options{}, 100)
	e := w.edge(Options{Neighbours: 5000})
	for e.Stats().LRU["neighbour"].Hits == 0 { // the test's own time-out bounds it
		runtime.Gosched()
	}
	without := newWorld(t, smallSettings(), origin.Options{})
	for want, options := range map[string]Options{"no neighbours": {Neighbours: 1}, "at most": {Neighbours: 1e9}} {
		options.Store, options.Secret, options.Origin = without.stores, []byte(testSecret), w.server.URL
		e, err := New(options)
		if err == nil {
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

func TestMetricsAreThoseOfStats(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Router: "hashed", Ring: "v2:16", Nodes: 1})
	check(t, e, w.first(false))
	check(t, e, w.first(false))
	recorder := httptest.NewRecorder()
	e.AdminHandler().ServeHTTP(recorder, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{
		"switchback_requests_total 2\n", `switchback_responses_total{status="200"} 2`, `switchback_router_requests_total{router="hashed"} 2`,
		`switchback_ring_points{ring="v2:16"} 16`, "switchback_cache_hits_total 1\n", `switchback_node_up{node="n1"} 1`, `switchback_node_requests_total{node="n1"} 2`,
		"switchback_origin_requests_total 1\n", "switchback_flags_version 1\n", `switchback_lru_misses_total{class="entry"} 1`, "go_goroutines",
	} {
		if !strings.Contains(recorder.Body.String(), line) {
			t.Errorf("lacks %q", line)
		}
	}
}

// A damaged block answers 500, and is counted: the requester cannot tell it from a fault of
// the edge itself.
func TestErrorsOfTheStoreAreCounted(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	damageTables(t, w.stores)
	var told []error
	e := w.edge(Options{LRUBytes: 1, StoreFault: func(err error) { told = append(told, err) }})
	failed := 0
	for _, want := range w.targets {
		if get(e, "GET", want.host, want.path).Code == http.StatusInternalServerError {
			failed++
		}
	}
	if s := e.Stats().Store; failed == 0 || s.Errors < int64(failed) || !strings.Contains(s.FirstError, "checksum") {
		t.Errorf("%d answers of 500; the store counts %+v", failed, s)
	}
	if len(told) != 1 || !strings.Contains(told[0].Error(), "checksum") {
		t.Errorf("told of %v; want the first error", told)
	}
}

// damageTables flips a byte in the first block of each table of a store.
func damageTables(t *testing.T, dir string) {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	for _, table := range tables {
		content, err := os.ReadFile(table)
		if err != nil {
			t.Fatal(err)
		}
		content[100] ^= 1
		if err := os.WriteFile(table, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
