package kv

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Checkpoint makes dir, which must not exist, a store of its own with the same content.
// The tables on disk are shared by hard links where the file system has them.
func (s *Store) Checkpoint(dir string) error {
	if err := s.faults.call(func() error { return s.db.Checkpoint(dir, pebble.WithFlushedWAL()) }); err != nil {
		return fmt.Errorf("making a checkpoint of the store in %s: %w", dir, err)
	}
	return nil
}

// Ingest takes sorted tables on disk into the store; they move. Keys that the store
// had get the new values. All values leave the LRU, since any may be stale.
func (s *Store) Ingest(ctx context.Context, files []string) error {
	if err := s.faults.call(func() error { return s.db.Ingest(ctx, files) }); err != nil {
		return fmt.Errorf("ingesting %d files into the store: %w", len(files), err)
	}
	s.lru.purge()
	return nil
}

// DiskBytes returns how many bytes the store takes on disk.
func (s *Store) DiskBytes() int64 {
	return int64(s.db.Metrics().DiskSpaceUsage())
}
