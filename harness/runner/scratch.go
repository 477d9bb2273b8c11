package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"switchback/harness/caches"
	"switchback/harness/scratch"
	"switchback/results/record"
)

// The folders of caches and of what lives as long as a run. Checkpoints and
// unfinished files of the caches lie beside the caches, on one file system, so
// that they are linked and renamed. Folders of arms lie where paths are short:
// the path of a unix socket has at most 108 bytes.
const (
	cacheFolder = "cache"
	shortPrefix = "switchback-scratch-"
)

// Cache returns the folder of the caches of a results folder. It may be a link, to a larger
// disk for instance, which is followed.
func Cache(results string) string {
	dir := filepath.Join(results, cacheFolder)
	if linked, err := filepath.EvalSymlinks(dir); err == nil {
		return linked
	}
	return dir
}

// openCache finds the folder of the caches, removes what killed runs left and makes the
// run's scratch folders. Their names are absolute: git, the go command and arms run in
// folders of their own.
func (r *run) openCache(ctx context.Context) error {
	var err error
	if r.cache, err = filepath.Abs(Cache(r.o.Results)); err != nil {
		return fmt.Errorf("finding the cache folder: %w", err)
	}
	if err := os.MkdirAll(r.cache, 0o755); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	if err := r.useCache(ctx); err != nil {
		return err
	}
	r.sweep()
	if r.scratch, err = r.ownFolder(r.cache, caches.ScratchPrefix); err != nil {
		return err
	}
	r.short, err = r.ownFolder(os.TempDir(), shortPrefix)
	return err
}

// cleanedEvery is how often a cache that is being cleaned is asked for.
const cleanedEvery = 20 * time.Millisecond

// useCache keeps `switchback cache clean` away until the run ends. It waits until one that
// is under way has ended.
func (r *run) useCache(ctx context.Context) error {
	shared, err := scratch.Share(r.cache)
	if errors.Is(err, scratch.ErrOwned) {
		r.step("waiting until the cache is clean")
	}
	for errors.Is(err, scratch.ErrOwned) {
		select {
		case <-time.After(cleanedEvery):
			shared, err = scratch.Share(r.cache)
		case <-ctx.Done():
			return fmt.Errorf("%s is being cleaned: %w", r.cache, context.Cause(ctx))
		}
	}
	if err != nil {
		return err
	}
	r.onClose(shared.Release)
	return nil
}

// ownFolder makes a folder that is removed at the end of the run.
func (r *run) ownFolder(parent, prefix string) (*scratch.Folder, error) {
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, fmt.Errorf("finding the folder for scratch files: %w", err)
	}
	f, err := scratch.Make(parent, prefix)
	if err != nil {
		return nil, err
	}
	r.onClose(func() { _ = f.Remove() }) // what stays is removed by the next run
	return f, nil
}

// Scratch makes a folder below parent for one command to own, once it has
// removed those of killed ones.
func Scratch(parent string) (*scratch.Folder, error) {
	if _, err := scratch.Sweep(parent, named(shortPrefix)); err != nil {
		return nil, err
	}
	return scratch.Make(parent, shortPrefix)
}

// named matches the folders whose names begin with a prefix.
func named(prefix string) func(dir string) bool {
	return func(dir string) bool { return scratch.Named(dir, prefix) }
}

// sweep removes what killed runs left and says what that gave back. What can't
// be removed stays: it does not keep this run from measuring.
func (r *run) sweep() {
	freed, err := Sweep(r.o.Results)
	for _, left := range freed {
		r.step(fmt.Sprintf("removed %s, which a killed run left (%d MiB)", left.Dir, left.Bytes>>20))
	}
	if err != nil {
		r.step(err.Error())
	}
}

// Sweep removes what runs that were killed left below a results folder and in the
// folder for temporary files, and returns it.
func Sweep(results string) ([]scratch.Left, error) {
	var freed []scratch.Left
	var errs []error
	for _, s := range []struct {
		parent string
		ours   func(dir string) bool
	}{
		{Cache(results), named(caches.ScratchPrefix)},
		{filepath.Join(Cache(results), caches.Stores), named("unfinished-")},
		{os.TempDir(), named(shortPrefix)},
		{filepath.Join(results, "runs"), record.Abandoned},
	} {
		left, err := scratch.Sweep(s.parent, s.ours)
		freed, errs = append(freed, left...), append(errs, err)
	}
	return freed, errors.Join(errs...)
}

// createFolder makes the run folder and owns it while the run lasts. A folder in which
// a killed run measured nothing gives way.
func createFolder(dir string) (*record.Run, *scratch.Folder, error) {
	if _, _, err := scratch.Free(dir, record.Abandoned); err != nil {
		return nil, nil, err
	}
	folder, err := record.Create(dir)
	if err != nil {
		return nil, nil, err
	}
	owned, err := scratch.Own(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, scratch.ErrOwned) {
		err = fmt.Errorf("%s: another run removes it at this moment: start again", dir)
	}
	if err != nil {
		return nil, nil, errors.Join(err, folder.Close())
	}
	return folder, owned, nil
}
