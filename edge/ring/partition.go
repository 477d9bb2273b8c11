package ring

import "math/bits"

// word is a point while it is sorted: the hash bits that its partition does
// not imply, then the rank of its server. With up to 2,048 servers and 2,048
// partitions that is 32 bits, so the build of a v3 ring holds 4 bytes a point
// beside the ring, and that of a v2 ring sorts in the ring's own array.
type word interface{ uint32 | uint64 }

// layout says how a point is split between partition and word.
type split struct {
	partitionBits int // top bits of the hash
	rankBits      int
}

const maxPartitionBits = 11 // more streams of writes than this miss the cache

// newSplit chooses partitions of some hundred points, but at least as many as
// make a 32-bit word possible.
func newSplit(src *source) split {
	rankBits := bits.Len(uint(len(src.counts) - 1))
	wanted := bits.Len(uint(src.total)) - 8
	return split{
		partitionBits: min(maxPartitionBits, max(wanted, rankBits, 1)),
		rankBits:      rankBits,
	}
}

// fits32 reports whether a word needs no more than 32 bits.
func (s split) fits32() bool { return s.rankBits <= s.partitionBits }

func (s split) hashBits() int { return 32 - s.partitionBits }

// partitions holds the points of a source by partition, unsorted within each.
type partitions[W word] struct {
	split
	words []W
	ends  []int // of each partition in words
}

// fill makes every point twice: first to count the partitions, then to put
// each point in its place. Making it again is cheaper than remembering it.
func (p *partitions[W]) fill(src *source, tables *chainTables) {
	shift := p.hashBits()
	p.ends = resize(p.ends, 1<<p.partitionBits)
	clear(p.ends)
	points := chains{tables: tables}
	points.each(src, func(_ int, hashes []uint32) {
		for _, h := range hashes {
			p.ends[h>>shift]++
		}
	})
	start := 0
	for i, n := range p.ends {
		p.ends[i] = start
		start += n
	}
	p.words = resize(p.words, src.total)
	keep := uint32(1)<<shift - 1
	points.each(src, func(rank int, hashes []uint32) {
		for _, h := range hashes {
			at := p.ends[h>>shift]
			p.words[at] = W(h&keep)<<p.rankBits | W(rank)
			p.ends[h>>shift] = at + 1
		}
	})
}

// each calls take with the points of every partition in order of their hash,
// one for each hash: base is the part of the hash that the partition implies.
// The words are valid until take returns.
func (p *partitions[W]) each(s *sorter[W], ties tieRule, take func(base uint32, words []W)) {
	start := 0
	for i, end := range p.ends {
		base := uint32(i) << p.hashBits()
		sorted := s.sort(p.words[start:end], p.hashBits()+p.rankBits)
		take(base, dropShared(sorted, base, p.rankBits, ties))
		start = end
	}
}

// resize returns a slice of n elements of unspecified content, in s if it has
// the room.
func resize[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
