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

// openScratch makes a scratch folder below root, named after this process, and
// removes those of processes that were killed.
func openScratch(root string) (scratch, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return scratch{}, fmt.Errorf("making the cache folder: %w", err)
	}
	old, err := filepath.Glob(filepath.Join(root, scratchPrefix+"*"))
	if err != nil {
		return scratch{}, fmt.Errorf("looking for old scratch folders: %w", err)
	}
	for _, dir := range old {
		if !ownerLives(filepath.Base(dir)) {
			if err := os.RemoveAll(dir); err != nil {
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
