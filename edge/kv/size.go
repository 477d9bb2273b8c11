package kv

import (
	"context"
	"fmt"
)

// Size says what a family of keys takes.
type Size struct {
	Keys       int64
	KeyBytes   int64 // logical, with the prefix
	ValueBytes int64 // logical
	DiskBytes  int64 // of the blocks on disk that hold the family
}

// Sizes measures every family of the store, by reading all of it. Bytes on disk are
// meaningful after compaction; a block that two families share counts for both.
func (s *Store) Sizes(ctx context.Context) (map[Prefix]Size, error) {
	sizes := make(map[Prefix]Size, len(Prefixes()))
	for _, p := range Prefixes() {
		size, err := s.size(ctx, p)
		if err != nil {
			return nil, err
		}
		sizes[p] = size
	}
	return sizes, nil
}

// size measures one family.
func (s *Store) size(ctx context.Context, p Prefix) (Size, error) {
	var size Size
	low, high := p.span()
	err := s.Scan(ctx, p, func(name, value []byte) error {
		size.Keys++
		size.KeyBytes += int64(len(low) + len(name))
		size.ValueBytes += int64(len(value))
		return nil
	})
	if err != nil || size.Keys == 0 { // the estimate for no keys is the block where they would be
		return size, err
	}
	disk, err := s.db.EstimateDiskUsage(low, high)
	if err != nil {
		return Size{}, fmt.Errorf("measuring %c/ on disk: %w", p, err)
	}
	size.DiskBytes = int64(disk)
	return size, nil
}
