package kv

import (
	"fmt"
	"math"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Defaults of Options, in bytes.
const (
	DefaultLRUBytes        = 64 << 20
	DefaultBlockCacheBytes = 8 << 20
)

// bulkTableBytes is the size of a memory table of a store that is being filled.
// A Loader keeps two at a time.
const bulkTableBytes = 64 << 20

// unlimitedTables is a number of memory tables that is never reached.
const unlimitedTables = 1 << 20

// Options of a store; the zero value of a field is its default.
type Options struct {
	LRUBytes        int64       // bound of the LRU; default DefaultLRUBytes
	BlockCacheBytes int64       // of Pebble's cache of uncompressed blocks; default DefaultBlockCacheBytes
	Compression     Compression // of blocks written; default Snappy
	ReadOnly        bool        // change no file: no writes, ingestion or checkpoints
	MustExist       bool        // refuse to create a store
	Report          func(error) // is told the first error of the store, once; may be nil
	Bulk            bool        // for a Loader: no write-ahead log, no compaction before the end
}

// lruBytes returns the bound of the LRU.
func (o Options) lruBytes() int64 {
	if o.LRUBytes == 0 {
		return DefaultLRUBytes
	}
	return o.LRUBytes
}

// pebble returns the options for Pebble, which reports to faults. The caller releases the
// block cache.
func (o Options) pebble(faults *faults) (*pebble.Options, error) {
	if o.LRUBytes < 0 || o.BlockCacheBytes < 0 {
		return nil, fmt.Errorf("LRU of %d and block cache of %d bytes: want no negative size", o.LRUBytes, o.BlockCacheBytes)
	}
	cache := o.BlockCacheBytes
	if cache == 0 {
		cache = DefaultBlockCacheBytes
	}
	to := &pebble.Options{
		FormatMajorVersion: pebble.FormatNewest,
		ReadOnly:           o.ReadOnly,
		ErrorIfNotExists:   o.MustExist || o.ReadOnly,
		Logger:             faults,
		EventListener: &pebble.EventListener{
			BackgroundError: faults.background,
			DataCorruption:  func(pebble.DataCorruptionInfo) {}, // who reads gets the error
		},
		FS: vfs.Default, // Pebble's own default adds disk health checks, whose goroutine outlives a failed Open
	}
	if err := o.Compression.apply(to); err != nil {
		return nil, err
	}
	if o.Bulk {
		bulk(to)
	}
	to.Cache = pebble.NewCache(cache)
	return to, nil
}

// bulk tunes a store for being filled once: its memory tables go to disk in
// large pieces, and are merged once, at the end.
func bulk(to *pebble.Options) {
	to.DisableWAL = true
	to.MemTableSize = bulkTableBytes
	to.DisableAutomaticCompactions = true
	to.MemTableStopWritesThreshold = unlimitedTables // the Loader waits, and can be interrupted
	to.L0StopWritesThreshold = math.MaxInt
}
