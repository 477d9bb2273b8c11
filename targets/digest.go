package targets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// Digest is the fingerprint of the blocks of a stream: the SHA-256 of their
// canonical form. That is, for each block, a line {"block":{"targets":N}} and
// its targets as lines of JSON in the order of the fields of Target.
type Digest struct{ sum hash.Hash }

// NewDigest returns the digest of no block.
func NewDigest() *Digest { return &Digest{sha256.New()} }

// Add adds a block.
func (d *Digest) Add(block []Target) error { return writeBlock(d.sum, block) }

// String returns the digest of the blocks so far: sha256:….
func (d *Digest) String() string { return "sha256:" + hex.EncodeToString(d.sum.Sum(nil)) }

// blockLine begins a block.
type blockLine struct {
	Targets int `json:"targets"`
}

// writeBlock writes the canonical form of a block.
func writeBlock(w io.Writer, block []Target) error {
	lines := fmt.Appendf(make([]byte, 0, 320*len(block)), "{\"block\":{\"targets\":%d}}\n", len(block))
	for i := range block {
		lines = append(appendTarget(lines, &block[i]), '\n')
	}
	if _, err := w.Write(lines); err != nil {
		return fmt.Errorf("writing a block: %w", err)
	}
	return nil
}
