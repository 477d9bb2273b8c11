// Package kv is the routing store of the edge: Pebble on disk, and in front of
// it one LRU for all values, bounded in bytes, that keeps them as the caller
// decoded them. It knows the families of keys, and nothing of what their
// values mean. A store directory belongs to one process at a time.
package kv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/singleflight"
)

// ErrNotFound is returned by Get for a key that the store does not have.
var ErrNotFound = errors.New("key not found")

// ErrInUse is returned by Open for a store that is open elsewhere.
var ErrInUse = errors.New("store is in use")

// ErrDamaged is returned by Verify for a store whose files were changed.
var ErrDamaged = errors.New("store is damaged")

// Store is a routing store. It is safe for concurrent use.
type Store struct {
	db      *pebble.DB
	lock    *pebble.Lock
	lru     *lru
	faults  *faults
	files   *stoppable
	loading singleflight.Group // concurrent misses of a key read and decode once
}

// Open opens the store in dir, or creates one there. The error is ErrInUse
// while another process, or another Store of this one, has it open.
func Open(dir string, options Options) (*Store, error) {
	s, err := open(dir, options)
	if err != nil {
		return nil, fmt.Errorf("opening store %s: %w", dir, err)
	}
	return s, nil
}

func open(dir string, options Options) (*Store, error) {
	s := &Store{lru: newLRU(options.lruBytes()), faults: newFaults(options.Report), files: &stoppable{FS: vfs.Default}}
	to, err := options.pebble(s.faults)
	if err != nil {
		return nil, err
	}
	defer to.Cache.Unref() // the DB holds its own reference
	// Within a process Pebble tells directories apart by their names.
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if s.lock, err = lock(dir, options.MustExist || options.ReadOnly); err != nil {
		return nil, err
	}
	to.Lock = s.lock
	if options.Bulk {
		to.FS = s.files
	}
	err = s.faults.call(func() (err error) {
		s.db, err = pebble.Open(dir, to)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, s.lock.Close())
	}
	return s, nil
}

// lock takes the lock of a store's directory, and makes the directory unless
// it must exist.
func lock(dir string, mustExist bool) (*pebble.Lock, error) {
	var err error
	if mustExist {
		_, err = os.Stat(dir)
	} else {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return nil, err
	}
	held, err := pebble.LockDirectory(dir, vfs.Default)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInUse, err)
	}
	return held, nil
}

// Close releases the store. No call may be in progress, and none may follow. What a
// Loader has not finished is dropped.
func (s *Store) Close() error {
	s.files.stop()
	if err := s.faults.call(func() error { return errors.Join(s.db.Close(), s.lock.Close()) }); err != nil {
		return fmt.Errorf("closing store: %w", err)
	}
	return nil
}

// Stats returns the LRU's counters since the store was opened.
func (s *Store) Stats() map[Class]Counters { return s.lru.stats() }

// Epoch counts how often the content of the store was replaced in part: by
// Ingest, or by a Loader. Who keeps something derived from the whole store compares it.
func (s *Store) Epoch() int64 { return s.lru.now() }
