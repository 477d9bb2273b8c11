package routing

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"switchback/edge/kv"
)

const exampleTable = `{
	"^a$":{"deployment":"d1","stages":[]},
	"^(?:b|main)$":{"deployment":"d2","stages":[]},
	"^(?:c|www\\.shop\\.example)$":{"deployment":"d3","stages":[]},
	"^[^.@]*$":{"deployment":"d4","stages":[]}}`

// exampleStore has a table whose last row matches what earlier rows do.
func exampleStore(t testing.TB, options kv.Options) *kv.Store {
	return newStore(t, options, map[kv.Key]string{
		{Prefix: kv.Tables, Name: "example"}:           exampleTable,
		{Prefix: kv.Tables, Name: "broken"}:            `{"^(":{"deployment":"d5","stages":[]}}`,
		{Prefix: kv.Domains, Name: "www.shop.example"}: "example",
		{Prefix: kv.Domains, Name: "gone.example"}:     "gone",
	})
}

func TestLegacyTriesRowsInOrder(t *testing.T) {
	for _, life := range []Life{"", LifeRequest, LifeLRU, LifeResident} {
		router, err := NewLegacy(t.Context(), exampleStore(t, kv.Options{}), life)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			host, deployment string
			tried            int
		}{
			{"a.example.pages.dev", "d1", 1},
			{"b.example.pages.dev", "d2", 2},
			{"main.example.pages.dev", "d2", 2},
			{"www.shop.example", "d3", 3},
			{"other.example.pages.dev", "d4", 4},
			{"a.example.pages.dev", "d1", 1},
			{"example.pages.dev", "", 4},
			{"a.missing.pages.dev", "", 0},
			{"gone.example", "", 0},
			{"unknown.example", "", 0},
		} {
			t.Run(string(life)+"/"+c.host, func(t *testing.T) { checkLegacy(t, router, c.host, c.deployment, c.tried) })
		}
	}
}

// checkLegacy checks the answer for host, where "" is an unknown one.
func checkLegacy(t *testing.T, router *Legacy, host, deployment string, tried int) {
	t.Helper()
	got, err := router.Route(t.Context(), host)
	if got.Tried != tried {
		t.Errorf("%d rows tried, want %d", got.Tried, tried)
	}
	if tried > 0 && (got.TableBytes != len(exampleTable) || got.Match <= 0) {
		t.Errorf("got a table of %d bytes and %v of matching, want %d bytes", got.TableBytes, got.Match, len(exampleTable))
	}
	if deployment == "" {
		if !errors.Is(err, ErrUnknownHost) {
			t.Errorf("got %+v, %v; want ErrUnknownHost", got.Pipeline, err)
		}
		return
	}
	if err != nil || got.Pipeline.Deployment != deployment {
		t.Errorf("got %+v, %v; want %s", got.Pipeline, err, deployment)
	}
}

func TestTableLives(t *testing.T) {
	for _, c := range []struct {
		life              Life
		decoded, decoded2 bool // in the first and the second request
		hits, misses      int64
	}{
		{LifeRequest, true, true, 1, 1},
		{LifeLRU, true, false, 1, 1},
		{LifeResident, false, false, 0, 0},
	} {
		store := exampleStore(t, kv.Options{})
		router, err := NewLegacy(t.Context(), store, c.life)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []bool{c.decoded, c.decoded2} {
			answer, err := router.Route(t.Context(), "a.example.pages.dev")
			if err != nil {
				t.Fatal(err)
			}
			if got := answer.Decode > 0; got != want {
				t.Errorf("%s: request %d decoded the table: %v, want %v", c.life, i+1, got, want)
			}
		}
		if got := store.Stats()[kv.ClassTable]; got.Hits != c.hits || got.Misses != c.misses {
			t.Errorf("%s: got %+v, want %d hits, %d misses", c.life, got, c.hits, c.misses)
		}
		if got := router.ResidentBytes() > 0; got != (c.life == LifeResident) {
			t.Errorf("%s: %d resident bytes", c.life, router.ResidentBytes())
		}
	}
}

func TestDecodedSizeCountsInTheLRU(t *testing.T) {
	store := exampleStore(t, kv.Options{})
	router, err := NewLegacy(t.Context(), store, LifeLRU)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := router.Route(t.Context(), "a.example.pages.dev"); err != nil {
		t.Fatal(err)
	}
	decoded, err := newTable([]byte(exampleTable))
	if err != nil {
		t.Fatal(err)
	}
	if got := store.Stats()[kv.ClassTable].Bytes; got < decoded.size() || got > decoded.size()+1000 {
		t.Errorf("the LRU counts %d bytes for a table of %d decoded", got, decoded.size())
	}
}

// TestSizeIsWhatTheHeapHolds compares the counted size of a decoded table, all
// of its expressions compiled, with the growth of the heap.
func TestSizeIsWhatTheHeapHolds(t *testing.T) {
	raw := largeTable(t, 500)
	before := heapBytes()
	decoded, err := newTable(raw)
	if err != nil {
		t.Fatal(err)
	}
	decoded.keepCompiled()
	if _, tried, err := decoded.match("unknown"); tried != 500 || !errors.Is(err, ErrUnknownHost) {
		t.Fatalf("%d rows tried, %v", tried, err)
	}
	grown := heapBytes() - before
	if ratio := float64(decoded.size()) / float64(grown); ratio < 0.75 || ratio > 1.25 {
		t.Errorf("counted %d bytes, the heap grew by %d: ratio %.2f", decoded.size(), grown, ratio)
	}
	runtime.KeepAlive(decoded)
}

// largeTable returns a table of n rows of about 1,000 bytes.
func largeTable(t testing.TB, n int) []byte {
	t.Helper()
	var raw []byte
	for i := range n {
		bindings := map[string]string{}
		for j := range 15 {
			bindings[fmt.Sprintf("KV_%d", j)] = strings.Repeat("x", 40)
		}
		row := Row{
			Expression: fmt.Sprintf(`^(?:%08x|fix-cache-%d)$`, i, i),
			Pipeline:   &Pipeline{fmt.Sprintf("%016x", i), []Stage{{Name: "asset-server", Bindings: bindings}}},
		}
		var err error
		if raw, err = AppendRow(raw, row); err != nil {
			t.Fatal(err)
		}
	}
	return CloseTable(raw)
}

// heapBytes returns the bytes of live objects.
func heapBytes() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestBrokenTables(t *testing.T) {
	for _, life := range []Life{LifeRequest, LifeLRU, LifeResident} {
		router, err := NewLegacy(t.Context(), exampleStore(t, kv.Options{}), life)
		if err != nil {
			t.Fatal(err)
		}
		_, err = router.Route(t.Context(), "a.broken.pages.dev")
		if err == nil || errors.Is(err, ErrUnknownHost) || !strings.Contains(err.Error(), "row 1") {
			t.Errorf("%s: got %v, want the row that does not compile", life, err)
		}
	}
	store := newStore(t, kv.Options{}, map[kv.Key]string{{Prefix: kv.Tables, Name: "cut"}: `{"^a$"`})
	if _, err := NewLegacy(t.Context(), store, LifeResident); err == nil || !strings.Contains(err.Error(), `"cut"`) {
		t.Errorf("got %v, want the project whose table is broken", err)
	}
	router, err := NewLegacy(t.Context(), store, LifeRequest)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := router.Route(t.Context(), "a.cut.pages.dev"); err == nil || errors.Is(err, ErrUnknownHost) {
		t.Errorf("got %v, want the decoder's error", err)
	}
	if _, err := NewLegacy(t.Context(), store, "forever"); err == nil {
		t.Error("an unknown life was taken")
	}
}

func TestRefreshOfResidentTables(t *testing.T) {
	store := exampleStore(t, kv.Options{})
	router, err := NewLegacy(t.Context(), store, LifeResident)
	if err != nil {
		t.Fatal(err)
	}
	put(t, store, map[kv.Key]string{{Prefix: kv.Tables, Name: "new"}: strings.ReplaceAll(exampleTable, "example", "new")})
	if err := router.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := router.Route(t.Context(), "b.new.pages.dev"); err != nil || got.Pipeline.Deployment != "d2" {
		t.Errorf("got %+v, %v; want d2", got.Pipeline, err)
	}
}
