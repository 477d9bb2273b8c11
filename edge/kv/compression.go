package kv

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
)

// Compression is how the store compresses its blocks on disk.
type Compression string

// The compressions. The zero value is snappy, Pebble's own default.
const (
	NoCompression Compression = "none"
	Snappy        Compression = "snappy"
	Zstd          Compression = "zstd"
)

// profile returns Pebble's name of the compression.
func (c Compression) profile() (*sstable.CompressionProfile, error) {
	switch c {
	case NoCompression:
		return sstable.NoCompression, nil
	case Snappy, "":
		return sstable.SnappyCompression, nil
	case Zstd:
		return sstable.ZstdCompression, nil
	}
	return nil, fmt.Errorf("compression %q: want none, snappy or zstd", string(c))
}

// apply sets the compression of every level.
func (c Compression) apply(to *pebble.Options) error {
	profile, err := c.profile()
	if err != nil {
		return err
	}
	to.ApplyCompressionSettings(func() pebble.DBCompressionSettings {
		return pebble.UniformDBCompressionSettings(profile)
	})
	return nil
}
