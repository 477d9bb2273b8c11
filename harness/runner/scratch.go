package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// scratch is a folder for what lives as long as a run: the checkpoints of
// launches. It lies beside the stores, on one filesystem, so that a checkpoint
// is made of links.
type scratch struct{ dir string }

const scratchPrefix = "run-"

// openCache finds the folder of the caches and makes the run's scratch folder
// in it. Their names are absolute: git, the go command and arms run in folders of their own.
func (r *run) openCache() error {
	var err error
	if r.cache, err = filepath.Abs(filepath.Join(r.o.Results, "cache")); err != nil {
		return fmt.Errorf("finding the cache folder: %w", err)
	}
	if r.scratch, err = openScratch(r.cache); err != nil {
		return err
	}
	r.onClose(r.scratch.remove)
	return nil
}

// openScratch makes a scratch folder below root, named after this process, and
// removes those of processes that were killed.
func openScratch(root string) (scratch, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return scratch{}, fmt.Errorf("making the cache folder: %w", err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return scratch{}, fmt.Errorf("looking for old scratch folders: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), scratchPrefix) && !ownerLives(e.Name()) {
			if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
				return scratch{}, fmt.Errorf("removing an old scratch folder: %w", err)
			}
		}
	}
	dir, err := os.MkdirTemp(root, fmt.Sprintf("%s%d-", scratchPrefix, os.Getpid()))
	if err != nil {
		return scratch{}, fmt.Errorf("making a scratch folder: %w", err)
	}
	return scratch{dir}, nil
}

// ownerLives reports whether the process that a scratch folder is named after
// runs. A name that is not ours counts as living: it is left alone.
func ownerLives(name string) bool {
	pid, _, _ := strings.Cut(strings.TrimPrefix(name, scratchPrefix), "-")
	n, err := strconv.Atoi(pid)
	return err != nil || syscall.Kill(n, 0) != syscall.ESRCH
}

func (s scratch) remove() { os.RemoveAll(s.dir) }

// path returns the path of a name in the folder.
func (s scratch) path(name string) string { return filepath.Join(s.dir, name) }
