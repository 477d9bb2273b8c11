package ring

import (
	"fmt"
	"math/bits"
)

// DefaultStreamMemory is what Stream uses when no memory is named.
const DefaultStreamMemory = 512 << 20

const (
	minStreamMemory = 1 << 20
	maxStreamPoints = 1 << 40
	maxSliceBits    = 16
	maxSliceWords   = 1 << 31 // what positions in 32 bits can name, twice over
)

// Stream calls take with every point of a ring in order of its hash, without
// building the ring: runs of hashes with the index of their servers, valid
// until take returns. It makes and sorts one slice of the hash space after
// another, each in about memory bytes (0: DefaultStreamMemory), and all points
// anew for each slice. Options.MaxPoints does not apply. It returns the number
// of points before those that servers share were dropped. Errors are those of
// New.
func Stream(spec Spec, servers []Server, opt Options, memory int64, take func(hashes []uint32, servers []uint16)) (made int, err error) {
	src, err := newSource(spec, servers, opt.Names, maxStreamPoints)
	if err != nil {
		return 0, err
	}
	if memory == 0 {
		memory = DefaultStreamMemory
	}
	if memory < minStreamMemory {
		return 0, fmt.Errorf("memory of %d bytes for a stream of points, want at least %d", memory, minStreamMemory)
	}
	rule := tieRule{opt.Ties, src}
	if s := newSplit(src); s.sliced(src, 4, memory).fits32() {
		stream(new(partitions[uint32]), s.sliced(src, 4, memory), src, rule, take)
	} else {
		stream(new(partitions[uint64]), s.sliced(src, 8, memory), src, rule, take)
	}
	return src.total, nil
}

// sliced returns the split with slices whose words, of some bytes each, take
// about four fifths of the memory: the buffers of a partition take the rest.
func (s split) sliced(src *source, wordBytes, memory int64) split {
	words := min(memory/5*4/wordBytes, maxSliceWords)
	slices := int64(src.total)/words + 1
	s.sliceBits = min(bits.Len64(uint64(slices-1)), maxSliceBits)
	return s
}

func stream[W word](p *partitions[W], s split, src *source, ties tieRule, take func([]uint32, []uint16)) {
	var hashes []uint32
	var nodes []uint16
	for slice := range 1 << s.sliceBits {
		p.split = s
		p.slice = uint32(slice)
		p.fillChunks(src)
		p.each(ties, func(base uint32, words []W) {
			hashes, nodes = resize(hashes, len(words)), resize(nodes, len(words))
			decode(p.split, base, words, hashes, nodes)
			take(hashes, nodes)
		})
	}
}
