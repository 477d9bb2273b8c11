package kv

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// batchBytes is the size at which a Loader hands its writes to the store: far
// above the cost of a commit, far below the memory table.
const batchBytes = 1 << 20

// flushBatches is how many batches a Loader writes between flushes: with the memory
// that Pebble needs for each key, most of a memory table of a Bulk store.
const flushBatches = bulkTableBytes / batchBytes / 2

// Loader fills a store. Its waits end early, with an error, when the context ends or the
// store breaks, if the store was opened with Bulk. Nothing is certain to be durable or
// visible before Finish. After an error the store can only be closed. It is not safe for
// concurrent use.
type Loader struct {
	ctx      context.Context
	store    *Store
	batch    *pebble.Batch
	key      []byte
	batches  int             // since the last flush
	flushing <-chan struct{} // closed when the last flush has ended; nil before the first
}

// Load returns a Loader for the store, whose waits end with ctx.
func (s *Store) Load(ctx context.Context) *Loader {
	return &Loader{ctx: ctx, store: s, batch: s.db.NewBatch()}
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
	if err := l.commit(); err != nil {
		return fmt.Errorf("writing to the store: %w", err)
	}
	return nil
}

// commit hands the writes so far to the store, and now and then has it write them to
// disk. It waits for the flush before the last.
func (l *Loader) commit() error {
	if err := l.store.faults.call(func() error { return l.store.db.Apply(l.batch, pebble.NoSync) }); err != nil {
		return err
	}
	l.batch.Reset()
	if l.batches++; l.batches < flushBatches {
		return nil
	}
	if err := l.flushed(); err != nil {
		return err
	}
	return l.flush()
}

// flush has the store write its memory tables to disk, in the background.
func (l *Loader) flush() error {
	l.batches = 0
	return l.store.faults.call(func() (err error) {
		l.flushing, err = l.store.db.AsyncFlush()
		return err
	})
}

// flushed waits for the last flush.
func (l *Loader) flushed() error {
	if l.flushing == nil {
		return nil
	}
	return l.store.faults.wait(l.ctx, l.flushing)
}

// Finish writes everything to disk and compacts it into one level, so that
// reads and sizes don't depend on the order of the writes. The Loader ends.
func (l *Loader) Finish() error {
	if err := l.finish(); err != nil {
		return fmt.Errorf("writing to the store: %w", err)
	}
	if err := l.compact(); err != nil {
		return fmt.Errorf("compacting the store: %w", err)
	}
	l.store.lru.purge()
	return nil
}

// finish commits and flushes what is left.
func (l *Loader) finish() error {
	for _, step := range []func() error{l.commit, l.batch.Close, l.flush, l.flushed} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// compact merges everything into one level.
func (l *Loader) compact() error {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = recovered(func() error { return l.store.db.Compact(l.ctx, []byte{0}, []byte{0xff}, true) })
	}()
	if waited := l.store.faults.wait(l.ctx, done); waited != nil {
		return waited
	}
	return err
}
