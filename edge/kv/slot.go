package kv

import (
	"crypto/sha256"
	"hash/maphash"
)

// id is a key at a fixed size, so that a slot holds it: comparing it reads no
// other memory. A longer name is there as its SHA-256, with a length of its own.
type id struct {
	name   [sha256.Size]byte
	length uint8
	prefix Prefix
}

// longName is the length of every name that does not fit.
const longName = sha256.Size + 1

// id returns the key at its fixed size.
func (k Key) id() id {
	short := id{length: uint8(len(k.Name)), prefix: k.Prefix}
	if copy(short.name[:], k.Name) == len(k.Name) {
		return short
	}
	return id{name: sha256.Sum256([]byte(k.Name)), length: longName, prefix: k.Prefix}
}

// hash returns the hash of the key: its lower bits choose the slot, its upper ones the
// shard. Families have names in common.
func (k *id) hash(seed maphash.Seed) uint64 {
	const golden = 0x9e3779b97f4a7c15
	return maphash.Bytes(seed, k.name[:]) ^ uint64(k.prefix)*golden
}

// slot is a place for a value. Its fields fill one cache line, which is all that a hit
// reads and writes beside the value itself. A free slot has no bytes.
type slot struct {
	value any
	bytes int64
	id    id
	used  bool // since the hand passed
}
