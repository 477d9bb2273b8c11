// Package kv is the routing store of the edge: Pebble on disk, and in front of
// it one LRU for all values, bounded in bytes, that keeps them as the caller
// decoded them. It knows the families of keys, and nothing of what their
// values mean. A store directory belongs to one process at a time.
package kv

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"golang.org/x/sync/singleflight"
)

// ErrNotFound is returned for a key that the store does not have.
var ErrNotFound = errors.New("key not found")

// Store is a routing store. It is safe for concurrent use.
type Store struct {
	db      *pebble.DB
	lru     *lru
	loading singleflight.Group // concurrent misses of a key read and decode once
}

// Open opens the store in dir, or creates one there. It fails when another
// process, or another Store of this one, has it open.
func Open(dir string, options Options) (*Store, error) {
	to, err := options.pebble()
	if err != nil {
		return nil, fmt.Errorf("opening store %s: %w", dir, err)
	}
	defer to.Cache.Unref() // the DB holds its own reference
	db, err := pebble.Open(dir, to)
	if err != nil {
		return nil, fmt.Errorf("opening store %s: %w", dir, err)
	}
	return &Store{db: db, lru: newLRU(options.lruBytes())}, nil
}

// Close releases the store. No call may be in progress, and none may follow.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("closing store: %w", err)
	}
	return nil
}

// Stats returns the LRU's counters since the store was opened.
func (s *Store) Stats() map[Class]Counters { return s.lru.stats() }
