package routing

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/FastFilter/xorfilter"

	"switchback/edge/kv"
)

// Filtered routes as Hashed does, behind a binary fuse filter (Graf and Lemire
// 2022) of all entries: nearly every unknown hostname is answered without the
// store. While the store holds entries newer than the filter, every look-up passes.
type Filtered struct {
	hashed *Hashed
	filter atomic.Pointer[filter]

	passed, refused, falsePositives atomic.Int64
}

// filter says which entries the store had in an epoch.
type filter struct {
	epoch int64
	fuse  *xorfilter.BinaryFuse8 // nil for no entries: it cannot be built of none
}

// FilterStats count what became of look-ups since the router was made.
type FilterStats struct {
	Bytes          int64 // of the filter
	Passed         int64 // look-ups that it let through
	Refused        int64 // answered unknown by it alone
	FalsePositives int64 // let through and unknown all the same
}

// NewFiltered returns the router over the entries that were published with
// hasher's secret. It reads the names of all entries: 8 bytes for each are in
// memory while the filter is built, and about 9 bits after.
func NewFiltered(ctx context.Context, store *kv.Store, hasher *Hasher) (*Filtered, error) {
	f := &Filtered{hashed: NewHashed(store, hasher)}
	return f, f.Refresh(ctx)
}

var _ Router = (*Filtered)(nil)

// Route implements Router. It does not allocate where the filter
// answers, nor where the entry and the pipeline are in the store's LRU.
func (f *Filtered) Route(_ context.Context, host string) (Answer, error) {
	sum := f.hashed.hasher.Sum(host)
	filter := f.filter.Load()
	if !filter.mayContain(sum, f.hashed.store.Epoch()) {
		f.refused.Add(1)
		return Answer{}, ErrUnknownHost
	}
	f.passed.Add(1)
	pipeline, err := f.hashed.find(sum)
	if errors.Is(err, ErrUnknownHost) {
		f.falsePositives.Add(1)
	}
	return Answer{Pipeline: pipeline}, err
}

// mayContain reports whether the store may have an entry named sum in an epoch.
func (f *filter) mayContain(sum Sum, epoch int64) bool {
	if f.epoch != epoch {
		return true
	}
	return f.fuse != nil && f.fuse.Contains(filterKey(sum[:]))
}

// filterKey returns the key of an entry in the filter. The names are uniform,
// so that their first bytes are as good as any hash of them.
func filterKey(name []byte) uint64 { return binary.LittleEndian.Uint64(name) }

// Refresh builds the filter anew from the entries of the store.
func (f *Filtered) Refresh(ctx context.Context) error {
	built := &filter{epoch: f.hashed.store.Epoch()}
	var keys []uint64
	err := f.hashed.store.Scan(ctx, kv.Entries, func(name, _ []byte) error {
		if len(name) != len(Sum{}) {
			return fmt.Errorf("an entry's name has %d bytes, want %d", len(name), len(Sum{}))
		}
		keys = append(keys, filterKey(name))
		return nil
	})
	if err == nil && len(keys) > 0 {
		built.fuse, err = xorfilter.PopulateBinaryFuse8(keys)
	}
	if err != nil {
		return fmt.Errorf("building the filter of routing entries: %w", err)
	}
	f.filter.Store(built)
	return nil
}

// Stats returns the counters.
func (f *Filtered) Stats() FilterStats {
	stats := FilterStats{Passed: f.passed.Load(), Refused: f.refused.Load(), FalsePositives: f.falsePositives.Load()}
	if fuse := f.filter.Load().fuse; fuse != nil {
		stats.Bytes = int64(len(fuse.Fingerprints))
	}
	return stats
}
