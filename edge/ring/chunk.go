package ring

// chunkWords is the number of points that a partition takes at a time.
const chunkWords = 32

// fillChunks puts each partition into a chain of chunks, of which the first is
// that of its own number. It makes every point once, which the build of a v3
// ring can afford: its words need not become the ring where they stand.
func (p *partitions[W]) fillChunks(src *source) {
	p.chains.sliceBits, p.chains.slice = p.sliceBits, p.slice
	p.empty(src.total >> p.sliceBits / chunkWords)
	p.chains.each(src, p.scatter)
}

// empty gives each partition its first chunk, and makes room for more.
func (p *partitions[W]) empty(more int) {
	p.ends = resize(p.ends, 1<<p.partitionBits)
	for i := range p.ends {
		p.ends[i] = uint32(i * chunkWords)
	}
	p.chunks = len(p.ends)
	p.links = resize(p.links, p.chunks+more)
	p.words = resize(p.words, len(p.links)*chunkWords)
}

// scatter puts points of a server into their partitions.
func (p *partitions[W]) scatter(server int, hashes []uint32) {
	shift := p.hashBits() & 31
	within, servers, add := uint32(1)<<shift-1, p.servers, uint64(server)
	words, ends := p.words, p.ends
	for _, h := range hashes {
		end := &ends[h>>shift]
		at := *end
		words[at] = W(uint64(h&within)*servers + add)
		at++
		if at%chunkWords == 0 {
			at = p.link(at - 1)
			words = p.words
		}
		*end = at
	}
}

// link returns where a partition goes on whose chunk is full up to the
// position. There is room for the chunks of a ring; those of a slice can be
// more than a fair share of them.
func (p *partitions[W]) link(full uint32) uint32 {
	if p.chunks == len(p.links) {
		grown := p.chunks + p.chunks/16 + 1
		p.links = append(p.links, make([]uint32, grown-p.chunks)...)
		p.words = append(p.words, make([]W, (grown-p.chunks)*chunkWords)...)
	}
	next := uint32(p.chunks)
	p.chunks++
	p.links[full/chunkWords] = next
	return next * chunkWords
}

// gather appends the words of a partition to dst.
func (p *partitions[W]) gather(dst []W, partition int) []W {
	at, end := uint32(partition*chunkWords), p.ends[partition]
	for at/chunkWords != end/chunkWords {
		dst = append(dst, p.words[at:at+chunkWords]...)
		at = p.links[at/chunkWords] * chunkWords
	}
	return append(dst, p.words[at:end]...)
}
