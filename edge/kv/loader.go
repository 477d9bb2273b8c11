package kv

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// batchBytes is the size at which a Loader hands its writes to the store: far
// above the cost of a commit, far below the memory table.
const batchBytes = 1 << 20

// Loader fills a store with many keys. Nothing is certain to be durable or
// visible before Finish. It is not safe for concurrent use.
type Loader struct {
	store *Store
	batch *pebble.Batch
	key   []byte
}

// Load returns a Loader for the store.
func (s *Store) Load() *Loader {
	return &Loader{store: s, batch: s.db.NewBatch()}
}

// Put sets the value of k, which may be changed after the call.
func (l *Loader) Put(k Key, value []byte) error {
	l.key = k.Append(l.key[:0])
	if err := l.batch.Set(l.key, value, nil); err != nil {
		return fmt.Errorf("writing %v: %w", k, err)
	}
	if l.batch.Len() < batchBytes {
		return nil
	}
	return l.commit()
}

// commit hands the writes so far to the store.
func (l *Loader) commit() error {
	if err := l.store.db.Apply(l.batch, pebble.NoSync); err != nil {
		return fmt.Errorf("writing to the store: %w", err)
	}
	l.batch.Reset()
	return nil
}

// Finish writes everything to disk and compacts it into one level, so that
// reads and sizes don't depend on the order of the writes. The Loader ends.
func (l *Loader) Finish(ctx context.Context) error {
	if err := l.commit(); err != nil {
		return err
	}
	if err := l.batch.Close(); err != nil {
		return fmt.Errorf("writing to the store: %w", err)
	}
	if err := l.store.db.Flush(); err != nil {
		return fmt.Errorf("writing to the store: %w", err)
	}
	if err := l.store.db.Compact(ctx, []byte{0}, []byte{0xff}, true); err != nil {
		return fmt.Errorf("compacting the store: %w", err)
	}
	l.store.lru.purge()
	return nil
}
