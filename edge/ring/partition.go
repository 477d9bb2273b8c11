package ring

import "math/bits"

// word is a point while it is sorted: the part of its hash that its partition
// does not imply × servers + the server. With up to 2,048 servers and 2,048
// partitions that is 32 bits, so the build of a v3 ring holds 4.4 bytes a
// point beside the ring, and that of a v1 or v2 ring sorts in the ring's own
// array.
type word interface{ uint32 | uint64 }

// split says how a point is split between partition and word.
type split struct {
	sliceBits     int    // top bits of the hash that all points have in common
	slice         uint32 // those bits
	partitionBits int    // the bits below them
	servers       uint64 // at least 2
	perServer     uint64 // reciprocal of servers
}

const maxPartitionBits = 11 // more streams of writes than this miss the cache

// newSplit chooses partitions of some hundred points, but at least as many as
// make a 32-bit word possible.
func newSplit(src *source) split {
	servers := uint64(max(len(src.counts), 2))
	wanted := bits.Len(uint(src.total)) - 8
	return split{
		partitionBits: min(maxPartitionBits, max(wanted, bits.Len64(servers-1))),
		servers:       servers,
		perServer:     reciprocal(servers),
	}
}

// fits32 reports whether a word needs no more than 32 bits.
func (s split) fits32() bool { return s.servers <= 1<<(s.sliceBits+s.partitionBits) }

func (s split) hashBits() int { return 32 - s.sliceBits - s.partitionBits }

// base returns the part of the hash that partition i implies.
func (s split) base(i int) uint32 {
	return uint32(uint64(s.slice)<<(32-s.sliceBits)) | uint32(i)<<s.hashBits()
}

// wordBits returns the number of bits that hold any word.
func (s split) wordBits() int { return bits.Len64(s.servers<<s.hashBits() - 1) }

// partitions holds the points of a source by partition, side by side or in
// chunks.
type partitions[W word] struct {
	split
	chains chains
	words  []W
	ends   []uint32 // of each partition in words
	links  []uint32 // of each chunk: the next one of its partition; empty when side by side
	chunks int      // in use

	unsorted []W // of one partition
	sorted   []W // of one partition that was in chunks
	sorter   sorter[W]
}

// fill puts the partitions side by side. It makes every point twice: first to
// count the partitions, then to put each point into its own.
func (p *partitions[W]) fill(src *source) {
	p.chains.sliceBits, p.chains.slice = p.sliceBits, p.slice
	shift := p.hashBits() & 31
	ends := resize(p.ends, 1<<p.partitionBits)
	clear(ends)
	p.chains.each(src, func(_ int, hashes []uint32) {
		for _, h := range hashes {
			ends[h>>shift]++
		}
	})
	start := uint32(0)
	for i, count := range ends {
		ends[i] = start
		start += count
	}
	words, servers, within := resize(p.words, int(start)), p.servers, uint32(1)<<shift-1
	p.chains.each(src, func(server int, hashes []uint32) {
		for _, h := range hashes {
			end := &ends[h>>shift]
			words[*end] = W(uint64(h&within)*servers + uint64(server))
			*end++
		}
	})
	p.words, p.ends, p.links = words, ends, p.links[:0]
}

// each calls take with the words of every partition in order: base is the part
// of the hash that the partition implies. Each hash occurs once, with the
// owner of its point. take may use the memory of the words, and of those before
// where they are side by side.
func (p *partitions[W]) each(ties tieRule, take func(base uint32, words []W)) {
	for i := range p.ends {
		take(p.base(i), p.order(i, ties))
	}
}

// order sorts the words of a partition, where they are if they are side by
// side, and keeps one for each hash.
func (p *partitions[W]) order(partition int, ties tieRule) []W {
	words := p.unordered(partition)
	if len(p.links) > 0 {
		p.sorted = resize(p.sorted, len(words))
		words = p.sorted
	} else {
		p.unsorted = append(p.unsorted[:0], words...)
	}
	if near := p.sorter.sort(words, p.unsorted, p.wordBits(), W(p.servers)); near {
		words = dropShared(words, p.base(partition), p.split, ties)
	}
	return words
}

// unordered returns the words of a partition as they came.
func (p *partitions[W]) unordered(partition int) []W {
	if len(p.links) > 0 {
		p.unsorted = p.gather(p.unsorted[:0], partition)
		return p.unsorted
	}
	start := uint32(0)
	if partition > 0 {
		start = p.ends[partition-1]
	}
	return p.words[start:p.ends[partition]]
}

// resize returns a slice of n elements of unspecified content, in s if it has
// the room.
func resize[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
