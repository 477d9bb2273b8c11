package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Left is a folder that no living process owned and that was removed.
type Left struct {
	Dir   string
	Bytes int64 // that its removal gave back
}

// Sweep removes the folders below parent that are ours and that no living process
// owns, and returns them. It asks ours about a folder once it owns it. Folders of
// other users stay. A parent that does not exist is no error.
func Sweep(parent string, ours func(dir string) bool) ([]Left, error) {
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("looking for what killed processes left: %w", err)
	}
	var freed []Left
	var errs []error
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		if !e.IsDir() || !ours(dir) {
			continue
		}
		left, ok, err := Free(dir, ours)
		if ok {
			freed = append(freed, left)
		}
		errs = append(errs, err)
	}
	return freed, errors.Join(errs...)
}

// Free removes a folder that is ours unless a living process owns it, and tells
// whether it did.
func Free(dir string, ours func(dir string) bool) (left Left, ok bool, err error) {
	if info, err := os.Lstat(dir); err != nil || !isMine(info) {
		return Left{}, false, nil
	}
	f, err := Own(dir)
	if err != nil { // it is owned, gone, or on a file system without locks: it stays
		return Left{}, false, nil
	}
	defer f.Release()
	if !ours(dir) {
		return Left{}, false, nil
	}
	left = Left{dir, Size(dir)}
	if err := os.RemoveAll(dir); err != nil {
		return Left{}, false, fmt.Errorf("removing what a killed process left: %w", err)
	}
	return left, true, nil
}

func isMine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// Size is the bytes that the removal of a file or folder gives back: a file with
// another link gives none.
func Size(path string) int64 {
	var sum int64
	_ = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is being removed, or can't be read
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink == 1 {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}

// Named tells whether a folder's name is the prefix and nothing but digits and
// hyphens: the form of the names that Make gives.
func Named(dir, prefix string) bool {
	rest, ok := strings.CutPrefix(filepath.Base(dir), prefix)
	return ok && rest != "" && strings.Trim(rest, "0123456789-") == ""
}
