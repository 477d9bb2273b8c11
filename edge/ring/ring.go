package ring

import (
	"hash/crc32"
	"time"
	"unsafe"
)

// Ring maps hashes to servers, named by their index in the list that the ring
// was made of.
type Ring struct {
	layout  layout
	spec    Spec
	options Options
	servers int      // length of the whole list
	members []uint16 // index in the whole list of each server on the ring; nil when all are
	shared  int
	built   time.Duration
}

// layout is how a version keeps its points. Positions count the points in
// order of their hash.
type layout interface {
	lookup(hash uint32) int // server(find(hash))
	find(hash uint32) int   // position of the first point at or after hash; wraps
	server(at int) int
	points() int
	bytes() int
	each(take func(hash uint32, server int) bool)
}

// New builds a ring of the servers. It fails on a spec that Check refuses, on
// no servers or more than MaxServers, on a weight below 1, on more points than
// Options.MaxPoints, on an invalid address, and on one listed twice.
func New(spec Spec, servers []Server, opt Options) (*Ring, error) {
	return new(Builder).Build(spec, servers, opt)
}

// Hash returns the hash of a key: its CRC-32 (IEEE). An empty key is legal.
func Hash(key []byte) uint32 { return crc32.ChecksumIEEE(key) }

// HashString is Hash without a copy of the key.
func HashString(key string) uint32 {
	return crc32.ChecksumIEEE(unsafe.Slice(unsafe.StringData(key), len(key)))
}

// Lookup returns the server of a hash: the one of the first point at or after
// it, or of the first point of all.
func (r *Ring) Lookup(hash uint32) int { return r.index(r.layout.lookup(hash)) }

// Pick returns the server of a key.
func (r *Ring) Pick(key []byte) int { return r.Lookup(Hash(key)) }

// index returns the index in the whole list of a server on the ring.
func (r *Ring) index(server int) int {
	if r.members != nil {
		return int(r.members[server])
	}
	return server
}

// Spec returns the notation that the ring was made from.
func (r *Ring) Spec() Spec { return r.spec }

// Servers returns the length of the list that the ring was made of.
func (r *Ring) Servers() int { return r.servers }

// Points returns the number of different hashes on the ring.
func (r *Ring) Points() int { return r.layout.points() }

// Collisions returns the number of points that were dropped because another
// server, or an earlier point of the same one, has the same hash.
func (r *Ring) Collisions() int { return r.shared }

// Bytes returns the memory that the ring holds, everything included.
func (r *Ring) Bytes() int64 {
	return int64(unsafe.Sizeof(*r)) + int64(r.layout.bytes()) + 2*int64(cap(r.members))
}

// BuildTime returns how long the ring took to build.
func (r *Ring) BuildTime() time.Duration { return r.built }

// Each calls take with every point in order of its hash until take returns
// false. A point owns the hashes after the point before it, up to its own.
func (r *Ring) Each(take func(hash uint32, server int) bool) {
	r.layout.each(func(hash uint32, server int) bool { return take(hash, r.index(server)) })
}
