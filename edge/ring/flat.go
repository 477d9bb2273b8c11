package ring

import "unsafe"

// flat keeps the points as published: a sorted array of hashes and one of
// servers, which is searched faster than an array of pairs. v1 names a server
// in 4 bytes, v2 in 2.
type flat[N uint16 | uint32] struct {
	hashes []uint32
	nodes  []N
}

func (f *flat[N]) lookup(h uint32) int { return int(f.nodes[f.find(h)]) }

// find returns the position of the first point at or after h, which is the
// first of all when h is past the last.
func (f *flat[N]) find(h uint32) int {
	at := lowerBound(f.hashes, h)
	if at == len(f.hashes) {
		return 0
	}
	return at
}

func (f *flat[N]) server(at int) int { return int(f.nodes[at]) }

func (f *flat[N]) points() int { return len(f.hashes) }

func (f *flat[N]) bytes() int {
	return int(unsafe.Sizeof(*f)) + 4*cap(f.hashes) + int(unsafe.Sizeof(N(0)))*cap(f.nodes)
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
func newFlat[N uint16 | uint32, W word](ws *workspace[W], src *source, ties tieRule, tables *chainTables) *flat[N] {
	f := &flat[N]{nodes: make([]N, 0, src.total)}
	words, reuse := any(&ws.words).(*[]uint32)
	if reuse {
		*words = make([]uint32, src.total)
	}
	ws.fill(src, tables)
	if reuse {
		f.hashes = (*words)[:0]
	} else {
		f.hashes = make([]uint32, 0, src.total)
	}
	mask := W(1)<<ws.rankBits - 1
	ws.each(&ws.sorter, ties, func(base uint32, words []W) {
		for _, w := range words {
			f.hashes = append(f.hashes, base|uint32(w>>ws.rankBits))
			f.nodes = append(f.nodes, N(src.servers[w&mask]))
		}
	})
	if reuse {
		*words = nil
	}
	return f
}
