package ring

import (
	"math/bits"
	"unsafe"
)

// flat keeps the points as published: a sorted array of hashes and one of
// servers, which is searched faster than an array of pairs. v1 names a server
// in 4 bytes, v2 in 2.
type flat[N uint16 | uint32] struct {
	hashes []uint32
	nodes  []N
	index  []uint32 // position of the first point of each bucket, and the end; nil for v1
	shift  int      // a hash is in bucket hash >> shift
}

// indexLoad is the least number of points in a bucket of the index: the index
// takes a third of a byte a point at most and makes a look-up five times as
// fast at 880,000 points.
const indexLoad = 12

func (f *flat[N]) lookup(h uint32) int { return int(f.nodes[f.find(h)]) }

// find returns the position of the first point at or after h, which is the
// first of all when h is past the last.
func (f *flat[N]) find(h uint32) int {
	low, high := 0, len(f.hashes)
	if f.index != nil {
		bucket := h >> (f.shift & 31)
		low, high = int(f.index[bucket]), int(f.index[bucket+1])
	}
	at := low + lowerBound(f.hashes[low:high], h)
	if at == len(f.hashes) {
		return 0
	}
	return at
}

func (f *flat[N]) server(at int) int { return int(f.nodes[at]) }

func (f *flat[N]) points() int { return len(f.hashes) }

func (f *flat[N]) bytes() int {
	return int(unsafe.Sizeof(*f)) + 4*(cap(f.hashes)+cap(f.index)) + int(unsafe.Sizeof(N(0)))*cap(f.nodes)
}

// each calls take with every point in order of its hash until it returns
// false.
func (f *flat[N]) each(take func(hash uint32, server int) bool) {
	for i, h := range f.hashes {
		if !take(h, int(f.nodes[i])) {
			return
		}
	}
}

// lowerBound returns the number of hashes below h by a plain binary search.
func lowerBound(hashes []uint32, h uint32) int {
	low, high := 0, len(hashes)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if hashes[middle] < h {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// newFlat makes the points and lays them out as arrays. Words of 32 bits turn
// into the array of hashes where they stand: point i is never written before
// word i was read, so the build needs no memory beside the ring.
func newFlat[N uint16 | uint32, W word](p *partitions[W], src *source, ties tieRule) *flat[N] {
	words, inPlace := any(&p.words).(*[]uint32)
	if inPlace {
		*words = make([]uint32, src.total)
	}
	p.fill(src)
	f := &flat[N]{nodes: make([]N, src.total)}
	if inPlace {
		f.hashes = *words
	} else {
		f.hashes = make([]uint32, src.total)
	}
	count := 0
	p.each(ties, func(base uint32, words []W) {
		decode(p.split, base, words, f.hashes[count:], f.nodes[count:])
		count += len(words)
	})
	f.hashes, f.nodes = f.hashes[:count], f.nodes[:count]
	if inPlace {
		*words = nil
	}
	return f
}

// addIndex makes the bucket index.
func (f *flat[N]) addIndex() {
	bucketBits := indexBits(len(f.hashes))
	f.shift = 32 - bucketBits
	f.index = make([]uint32, 1<<bucketBits+1)
	next := 0
	for i, h := range f.hashes {
		for ; next <= int(h>>f.shift); next++ {
			f.index[next] = uint32(i)
		}
	}
	for ; next < len(f.index); next++ {
		f.index[next] = uint32(len(f.hashes))
	}
}

// indexBits returns the number of top bits that make a bucket.
func indexBits(points int) int { return max(1, bits.Len(uint(points/indexLoad))-1) }

// decode splits words into the hashes and servers of their points.
func decode[N uint16 | uint32, W word](s split, base uint32, words []W, hashes []uint32, nodes []N) {
	hashes, nodes = hashes[:len(words)], nodes[:len(words)]
	for i, w := range words {
		hash := divide(uint64(w), s.perServer)
		hashes[i] = base | uint32(hash)
		nodes[i] = N(uint64(w) - hash*s.servers)
	}
}
