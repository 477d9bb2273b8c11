package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"switchback/harness/scratch"
	"switchback/results/record"
)

// steps is a watcher that calls itself with each step.
type steps func(what string)

func (s steps) Step(what string)                        { s(what) }
func (s steps) Begin(record.Manifest, string)           {}
func (s steps) Block(record.Block, *record.Measurement) {}

// TestARunWaitsWhileTheCacheIsCleaned: it fails only when it is interrupted meanwhile.
func TestARunWaitsWhileTheCacheIsCleaned(t *testing.T) {
	stopped := errors.New("stopped")
	for name, want := range map[string]error{"cleaned": nil, "interrupted": stopped} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cleaner, err := scratch.Own(dir)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			r := &run{cache: dir, o: Options{Watch: steps(func(string) {
				if want != nil {
					cancel(stopped)
				} else {
					cleaner.Release()
				}
			})}}
			defer r.close()
			if err := r.useCache(ctx); !errors.Is(err, want) {
				t.Errorf("%v; want %v", err, want)
			}
			if want != nil {
				cleaner.Release()
			}
		})
	}
}

// TestACacheMayBeALink to a folder on another disk.
func TestACacheMayBeALink(t *testing.T) {
	results, disk := t.TempDir(), t.TempDir()
	if err := os.Symlink(disk, filepath.Join(results, cacheFolder)); err != nil {
		t.Fatal(err)
	}
	r := &run{o: Options{Results: results}}
	defer r.close()
	if err := r.openCache(t.Context()); err != nil || r.cache != disk {
		t.Errorf("%v; the cache is %s, want %s", err, r.cache, disk)
	}
}
