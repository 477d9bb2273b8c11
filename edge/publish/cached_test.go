package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"switchback/datasets"
	"switchback/edge/kv"
	"switchback/edge/routing"
)

// unread is a Dataset that must not be read.
type unread struct{ t *testing.T }

func (u unread) Next() (*datasets.Project, *datasets.Deployment, error) {
	u.t.Error("the dataset was read")
	return nil, nil, errors.New("must not be read")
}

func (u unread) Info() datasets.Info { return datasets.Info{} }

func TestCachedPublishesOnce(t *testing.T) {
	stream := generate(t, 6, datasets.Settings{Sizes: []int{10}})
	digest, root := infoOf(t, stream).Digest, filepath.Join(t.TempDir(), "cache")
	options := Options{Secret: secret}
	first, _, err := Cached(t.Context(), root, digest, read(t, stream), options)
	if err != nil {
		t.Fatal(err)
	}
	options.Forms = []Form{Legacy, Hashed} // the default, spelt out
	second, damage, err := Cached(t.Context(), root, digest, unread{t}, options)
	if err != nil || damage != nil || second != first {
		t.Errorf("got %s, %v, %v; want %s", second, damage, err, first)
	}
	if got := prefixesIn(t, first); !strings.Contains(got, "h") || !strings.Contains(got, "t") {
		t.Errorf("the store has keys of %q", got)
	}
}

func TestCachedTellsStoresApart(t *testing.T) {
	stream := generate(t, 6, datasets.Settings{Sizes: []int{3}})
	digest, root := infoOf(t, stream).Digest, t.TempDir()
	seen := map[string]int{}
	for i, options := range []Options{
		{Secret: secret},
		{Secret: []byte("other")},
		{Secret: secret, Forms: []Form{Legacy}},
		{Secret: secret, Compression: kv.Zstd},
		{Secret: secret, Neighbours: 1},
	} {
		dir, _, err := Cached(t.Context(), root, digest, read(t, stream), options)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[dir]; ok {
			t.Errorf("options %d and %d share a store", i, other)
		}
		seen[dir] = i
	}
}

func TestCachedKeepsNothingThatFailed(t *testing.T) {
	stream := generate(t, 7, datasets.Settings{Sizes: []int{10}})
	root := t.TempDir()
	if _, _, err := Cached(t.Context(), root, "sha256:other", read(t, stream), Options{Secret: secret}); err == nil || !strings.Contains(err.Error(), "sha256:other") {
		t.Errorf("got %v, want the digest that was expected", err)
	}
	if _, _, err := Cached(t.Context(), root, "d", failing{}, Options{Secret: secret}); err == nil {
		t.Error("a dataset that is cut short was published")
	}
	if left, err := os.ReadDir(root); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestCachedAtTheSameTime(t *testing.T) {
	stream := generate(t, 8, datasets.Settings{Sizes: []int{20}})
	digest, root := infoOf(t, stream).Digest, t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			dir, _, err := Cached(t.Context(), root, digest, read(t, stream), Options{Secret: secret})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := os.Stat(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if left, err := os.ReadDir(root); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v; want one store", left, err)
	}
}

func TestCheckpointsServe(t *testing.T) {
	stream := generate(t, 9, datasets.Settings{Sizes: []int{20}})
	host, published, copies := aliases(t, stream)[0], t.TempDir(), t.TempDir()
	if err := Publish(t.Context(), read(t, stream), published, Options{Secret: secret}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			dir := filepath.Join(copies, fmt.Sprint(i))
			if err := Checkpoint(t.Context(), published, dir); err != nil {
				t.Error(err)
				return
			}
			checkServes(t, dir, host)
		})
	}
	wg.Wait()
	if err := Checkpoint(t.Context(), published, filepath.Join(copies, "0")); err == nil {
		t.Error("a checkpoint over another one was made")
	}
	if err := Checkpoint(t.Context(), filepath.Join(published, "missing"), filepath.Join(copies, "new")); err == nil {
		t.Error("a checkpoint of a missing store was made")
	}
}

// checkServes opens a store and routes a host that it must know.
func checkServes(t *testing.T, dir, host string) {
	store, err := kv.Open(dir, kv.Options{MustExist: true})
	if err != nil {
		t.Error(err)
		return
	}
	defer store.Close()
	router, err := routing.NewLegacy(t.Context(), store, routing.LifeRequest)
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := router.Route(t.Context(), host); err != nil {
		t.Errorf("%s: %v", host, err)
	}
}

// TestCachedReplacesADamagedStore flips a byte of each table.
func TestCachedReplacesADamagedStore(t *testing.T) {
	stream := generate(t, 9, datasets.Settings{Sizes: []int{20}})
	digest, root := infoOf(t, stream).Digest, t.TempDir()
	options := Options{Secret: secret}
	dir, _, err := Cached(t.Context(), root, digest, read(t, stream), options)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	for _, table := range tables {
		content, err := os.ReadFile(table)
		if err != nil {
			t.Fatal(err)
		}
		content[len(content)/3] ^= 1
		if err := os.WriteFile(table, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again, damage, err := Cached(t.Context(), root, digest, read(t, stream), options)
	if err != nil || again != dir || !errors.Is(damage, kv.ErrDamaged) {
		t.Fatalf("got %s, %v, %v; want the same store and %v", again, damage, err, kv.ErrDamaged)
	}
	checkServes(t, dir, aliases(t, stream)[0])
}

func TestCachedGivesUpWithItsContext(t *testing.T) {
	stream := generate(t, 9, datasets.Settings{Sizes: []int{1}})
	digest, root := infoOf(t, stream).Digest, t.TempDir()
	dir, _, err := Cached(t.Context(), root, digest, read(t, stream), Options{Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	store, err := kv.Open(dir, kv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, _, err = Cached(ctx, root, digest, unread{t}, Options{Secret: secret})
	if !errors.Is(err, kv.ErrInUse) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that the store is in use and the time is up", err)
	}
}
