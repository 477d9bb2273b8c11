package routing

import (
	"errors"
	"fmt"
	"testing"

	"switchback/edge/kv"
)

// hashedValues has entries for a.example and b.example; the pipeline of the
// latter is missing.
func hashedValues(hasher *Hasher) map[kv.Key]string {
	return map[kv.Key]string{
		EntryKey(hasher.Sum("a.example")):  `"d1"`,
		EntryKey(hasher.Sum("b.example")):  `"d2"`,
		EntryKey(hasher.Sum("c.example")):  `{"w":"d3"}`,
		{Prefix: kv.Pipelines, Name: "d1"}: `{"deployment":"d1","stages":[{"name":"asset-server"}]}`,
	}
}

func TestHashedRoute(t *testing.T) {
	hasher := newHasher(t)
	store := newStore(t, kv.Options{}, hashedValues(hasher))
	filtered, err := NewFiltered(t.Context(), store, hasher)
	if err != nil {
		t.Fatal(err)
	}
	for name, router := range map[string]Router{"hashed": NewHashed(store, hasher), "filtered": filtered} {
		for _, host := range []string{"a.example", "a.example"} {
			got, err := router.Route(t.Context(), host)
			if err != nil || got.Pipeline.Deployment != "d1" || len(got.Pipeline.Stages) != 1 {
				t.Errorf("%s, %q: got %+v, %v; want d1", name, host, got.Pipeline, err)
			}
		}
		for _, host := range []string{"d.example", ""} {
			if got, err := router.Route(t.Context(), host); !errors.Is(err, ErrUnknownHost) || got.Pipeline != nil {
				t.Errorf("%s, %q: got %+v, %v; want ErrUnknownHost", name, host, got.Pipeline, err)
			}
		}
		if _, err := router.Route(t.Context(), "b.example"); !errors.Is(err, kv.ErrNotFound) || errors.Is(err, ErrUnknownHost) {
			t.Errorf("%s: entry without pipeline: got %v, want an error that is not ErrUnknownHost", name, err)
		}
		if _, err := router.Route(t.Context(), "c.example"); err == nil || errors.Is(err, ErrUnknownHost) {
			t.Errorf("%s: broken entry: got %v, want the decoder's error", name, err)
		}
	}
}

// TestHashedKeepsOneValue: a hit is to be one look-up.
func TestHashedKeepsOneValue(t *testing.T) {
	hasher := newHasher(t)
	store := newStore(t, kv.Options{}, hashedValues(hasher))
	router := NewHashed(store, hasher)
	for range 3 {
		if _, err := router.Route(t.Context(), "a.example"); err != nil {
			t.Fatal(err)
		}
	}
	entry, pipeline := store.Stats()[kv.ClassEntry], store.Stats()[kv.ClassDeployment]
	if entry.Misses != 1 || entry.Hits != 2 || pipeline.Hits+pipeline.Misses+pipeline.Bytes != 0 {
		t.Errorf("got %+v and %+v, want 1 miss and 2 hits of the entry alone", entry, pipeline)
	}
	if want := int64(len(hashedValues(hasher)[kv.Key{Prefix: kv.Pipelines, Name: "d1"}])); pipeline.Read != want {
		t.Errorf("%d bytes of pipelines read, want those of one: %d", pipeline.Read, want)
	}
}

func TestOtherSecretKnowsNothing(t *testing.T) {
	store := newStore(t, kv.Options{}, hashedValues(newHasher(t)))
	other, err := NewHasher([]byte("other"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewHashed(store, other).Route(t.Context(), "a.example"); !errors.Is(err, ErrUnknownHost) {
		t.Errorf("got %v, want ErrUnknownHost", err)
	}
}

func TestHotRouteDoesNotAllocate(t *testing.T) {
	hasher := newHasher(t)
	store := newStore(t, kv.Options{}, hashedValues(hasher))
	filtered, err := NewFiltered(t.Context(), store, hasher)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for name, c := range map[string]struct {
		router Router
		host   string
	}{
		"hashed":   {NewHashed(store, hasher), "a.example"},
		"filtered": {filtered, "a.example"},
		"refused":  {filtered, "d.example"},
	} {
		route := func() { c.router.Route(ctx, c.host) }
		route()
		if n := testing.AllocsPerRun(1000, route); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}

func TestFilterRefusesWithoutTheStore(t *testing.T) {
	hasher := newHasher(t)
	values := map[kv.Key]string{{Prefix: kv.Pipelines, Name: "d1"}: `{"deployment":"d1","stages":[]}`}
	for i := range 2000 {
		values[EntryKey(hasher.Sum(fmt.Sprintf("%d.example", i)))] = `"d1"`
	}
	store := newStore(t, kv.Options{}, values)
	router, err := NewFiltered(t.Context(), store, hasher)
	if err != nil {
		t.Fatal(err)
	}
	const known, unknown = 2000, 20_000
	for i := range known + unknown {
		_, err := router.Route(t.Context(), fmt.Sprintf("%d.example", i))
		if got := err == nil; got != (i < known) {
			t.Fatalf("%d.example: got %v", i, err)
		}
	}
	stats := router.Stats()
	if stats.Passed != known+stats.FalsePositives || stats.Refused != unknown-stats.FalsePositives {
		t.Errorf("got %+v, which does not add up to %d known and %d unknown", stats, known, unknown)
	}
	if got := store.Stats()[kv.ClassEntry]; got.Hits+got.Misses != stats.Passed {
		t.Errorf("the store was asked %d times, the filter passed %d", got.Hits+got.Misses, stats.Passed)
	}
	// 1 in 256 is expected: 78, with a standard deviation of 9.
	if stats.FalsePositives < 30 || stats.FalsePositives > 130 {
		t.Errorf("%d false positives of %d, want about 1 in 256", stats.FalsePositives, unknown)
	}
	if perEntry := float64(stats.Bytes) / known; perEntry < 1 || perEntry > 1.6 {
		t.Errorf("%v bytes for each entry, want about 1.3 at this size", perEntry)
	}
}

// TestFilterLetsNewEntriesThrough checks that a filter older than the store refuses
// nothing until it is refreshed.
func TestFilterLetsNewEntriesThrough(t *testing.T) {
	hasher := newHasher(t)
	store := newStore(t, kv.Options{}, nil)
	router, err := NewFiltered(t.Context(), store, hasher)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := router.Route(t.Context(), "a.example"); !errors.Is(err, ErrUnknownHost) {
		t.Errorf("empty store: got %v, want ErrUnknownHost", err)
	}
	put(t, store, hashedValues(hasher))
	for _, refreshed := range []bool{false, true} {
		if got, err := router.Route(t.Context(), "a.example"); err != nil || got.Pipeline.Deployment != "d1" {
			t.Errorf("refreshed %v: got %+v, %v; want d1", refreshed, got.Pipeline, err)
		}
		refusedBefore := router.Stats().Refused
		router.Route(t.Context(), "unknown.example")
		if got := router.Stats().Refused > refusedBefore; got != refreshed {
			t.Errorf("refreshed %v: an unknown host was refused: %v", refreshed, got)
		}
		if err := router.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestManifests(t *testing.T) {
	store := newStore(t, kv.Options{}, map[kv.Key]string{
		{Prefix: kv.Manifests, Name: "d1"}: `{"/":{"d":"0a","n":12},"/app.js":{"d":"0b","n":34}}`,
		{Prefix: kv.Manifests, Name: "d2"}: `[]`,
	})
	manifests := NewManifests(store)
	manifest, err := manifests.Manifest("d1")
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := manifest.Asset("/app.js"); !ok || got != (Asset{"0b", 34}) {
		t.Errorf("got %+v, %v", got, ok)
	}
	if got, ok := manifest.Asset("/missing"); ok {
		t.Errorf("got %+v for a path that the deployment has not", got)
	}
	if _, err := manifests.Manifest("d2"); err == nil || errors.Is(err, kv.ErrNotFound) {
		t.Errorf("broken manifest: got %v, want the decoder's error", err)
	}
	if _, err := manifests.Manifest("d3"); !errors.Is(err, kv.ErrNotFound) {
		t.Errorf("missing manifest: got %v, want kv.ErrNotFound", err)
	}
}
