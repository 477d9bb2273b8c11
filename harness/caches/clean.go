package caches

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"switchback/harness/scratch"
)

// ErrUsed means that a run uses the caches.
var ErrUsed = errors.New("a run uses it: wait until the run has ended")

// Clean removes the entries below the folder of the caches that were last used before an
// instant, and returns them, whatever the error. While a run uses the caches it removes
// nothing, and no run starts to use them until it is done.
func Clean(root string, before time.Time) (freed []Entry, err error) {
	owned, err := scratch.Own(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, scratch.ErrOwned):
		return nil, fmt.Errorf("cleaning %s: %w", root, ErrUsed)
	case err != nil:
		return nil, fmt.Errorf("cleaning the cache: %w", err)
	}
	defer owned.Release()
	entries, err := List(root)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.LastUsed.Before(before) {
			continue
		}
		if err := remove(root, e.Path); err != nil {
			return freed, fmt.Errorf("cleaning the cache: %w", err)
		}
		freed = append(freed, e)
	}
	return freed, nil
}

// ScratchPrefix begins the names of the folders, beside the caches, of living processes.
// A later run removes what a killed process left there.
const ScratchPrefix = "run-"

// remove takes an entry's name away before its content: half an entry is never found.
func remove(root, path string) error {
	bin, err := scratch.Make(root, ScratchPrefix)
	if err != nil {
		return err
	}
	return errors.Join(os.Rename(path, bin.Path(filepath.Base(path))), bin.Remove())
}
