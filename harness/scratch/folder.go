// Package scratch keeps folders that live as long as the process that made
// them. Their maker holds a lock (flock) on each, which the kernel frees however
// the process ends, so that a later process can tell what was left from what is in use.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrOwned means that a living process owns a folder.
var ErrOwned = errors.New("a running process owns it")

// Folder is a folder that this process owns.
type Folder struct {
	Dir  string
	lock *os.File
}

// attempts bounds how often Make loses a new folder to a sweep that was faster.
const attempts = 100

// Make makes a folder below parent whose name is the prefix and a random number.
func Make(parent, prefix string) (*Folder, error) {
	for range attempts {
		dir, err := os.MkdirTemp(parent, prefix)
		if err != nil {
			return nil, fmt.Errorf("making a scratch folder: %w", err)
		}
		f, err := Own(dir)
		switch {
		case err == nil:
			return f, nil
		case !errors.Is(err, ErrOwned) && !errors.Is(err, fs.ErrNotExist):
			return nil, errors.Join(err, os.Remove(dir)) // as without descriptors left
		}
	}
	return nil, fmt.Errorf("making a scratch folder in %s: other processes remove it each time", parent)
}

// Own takes a folder that is there, and is never a link. It fails with ErrOwned while
// a process owns it, and with fs.ErrNotExist when a sweep has removed it.
func Own(dir string) (*Folder, error) {
	lock, err := lock(dir, unix.LOCK_EX)
	if err != nil {
		return nil, err
	}
	opened, err := lock.Stat()
	if err == nil {
		var now fs.FileInfo
		if now, err = os.Lstat(dir); err == nil && !os.SameFile(opened, now) {
			err = fs.ErrNotExist
		}
	}
	if err != nil {
		lock.Close()
		return nil, fmt.Errorf("owning %s: %w", dir, err)
	}
	return &Folder{Dir: dir, lock: lock}, nil
}

// lock opens a folder and locks it; ErrOwned means that another lock stands against it.
func lock(dir string, how int) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = ErrOwned
		}
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	return f, nil
}

// Path returns the path of a name in the folder.
func (f *Folder) Path(name string) string { return filepath.Join(f.Dir, name) }

// Release gives the folder up and leaves it.
func (f *Folder) Release() { f.lock.Close() }

// Remove removes the folder and gives it up. Removing takes a descriptor: where
// the process has no more of them, it uses the descriptor of the lock.
func (f *Folder) Remove() error {
	err := os.RemoveAll(f.Dir)
	f.Release()
	if errors.Is(err, unix.EMFILE) {
		err = os.RemoveAll(f.Dir)
	}
	return err
}

// Shared is a folder that several processes use at a time.
type Shared struct{ lock *os.File }

// Share keeps others from owning a folder until Release. It fails with ErrOwned
// while a process owns the folder.
func Share(dir string) (*Shared, error) {
	lock, err := lock(dir, unix.LOCK_SH)
	if err != nil {
		return nil, err
	}
	return &Shared{lock}, nil
}

// Release ends the use.
func (s *Shared) Release() { s.lock.Close() }
