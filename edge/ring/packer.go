package ring

import (
	"encoding/binary"
	"slices"
)

// packer fills a packed layout with points in order of their hash. It works a
// partition at a time, in loops so small that their state stays in registers.
type packer[W word] struct {
	*packed

	records []uint64 // of the partition
	ends    []uint32 // of its buckets: points up to and with the bucket, 0 when it is empty

	before uint64 // the last record in the bit string

	// The directory. The last bucket stays open: the next partition may add
	// to it.
	bucket   uint64    // the open bucket
	open     uint32    // points in it so far
	position uint32    // points before it
	planes   [3]uint64 // of the buckets of its group, shifted in from the top
}

// add appends the points of a partition.
func (p *packer[W]) add(base uint32, words []W) {
	if len(words) == 0 {
		return
	}
	last := uint64(base) + divide(uint64(words[len(words)-1]), p.perServer)
	p.records = resize(p.records, len(words))
	p.ends = resize(p.ends, int(divide(last, p.perSpan)-p.bucket)+1)
	clear(p.ends)
	p.ends[0] = p.open
	p.encode(uint64(base), words)
	p.put()
	p.count += len(words)
	closed := len(p.ends) - 1
	before := p.position
	p.close(p.ends[:closed])
	p.open += uint32(len(words)) - (p.position - before)
}

// encode turns words into records and marks the ends of their buckets.
func (p *packer[W]) encode(base uint64, words []W) {
	perServer, perSpan, first, ends := p.perServer, p.perSpan, p.bucket, p.ends
	recordBase, recordSpan := base*p.servers, p.span*p.servers
	end := p.open
	records := p.records[:len(words)]
	for i, w := range words {
		bucket := divide(base+divide(uint64(w), perServer), perSpan)
		records[i] = recordBase + uint64(w) - bucket*recordSpan
		end++
		ends[bucket-first] = end
	}
}

// put appends the records to the bit string. Each is stored with the end of the
// one before it in the low bits of its first byte, so that no store waits for
// another.
func (p *packer[W]) put() {
	bit, width, before := p.count*p.width, p.width, p.before
	to := p.packed.records
	for _, record := range p.records {
		shared := bit & 7
		word := record<<shared | before>>((width-shared)&63)
		binary.LittleEndian.PutUint64(to[bit>>3:], word)
		bit += width
		before = record
	}
	p.before = before
}

// close enters the first buckets into the directory.
func (p *packer[W]) close(ends []uint32) {
	p0, p1, p2 := p.planes[0], p.planes[1], p.planes[2]
	bucket, start, last := p.bucket, p.position, uint32(0)
	for _, end := range ends {
		if bucket%64 == 0 {
			p.groups[bucket/64].start = start + last
		}
		count := max(end, last) - last
		last += count
		if count > maxCount {
			p.addCrowded(bucket, count-maxCount)
			count = maxCount
		}
		p0 = p0>>1 | uint64(count)<<63
		p1 = p1>>1 | uint64(count>>1)<<63
		p2 = p2>>1 | uint64(count>>2)<<63
		bucket++
		if bucket%64 == 0 {
			p.groups[bucket/64-1].planes = [3]uint64{p0, p1, p2}
		}
	}
	p.planes = [3]uint64{p0, p1, p2}
	p.bucket, p.position = bucket, start+last
}

// addCrowded enters a count that the planes can't say.
func (p *packer[W]) addCrowded(bucket uint64, excess uint32) {
	g := &p.groups[bucket/64]
	if g.crowded == 0 {
		g.crowded = uint32(len(p.crowded)) << 7
	}
	g.crowded++
	p.crowded = append(p.crowded, excess<<6|uint32(bucket%64))
}

// finish closes all buckets and makes the wrap free: the position after the
// last point holds a copy of the first.
func (p *packer[W]) finish() {
	p.ends = resize(p.ends, 64*len(p.groups)-int(p.bucket))
	clear(p.ends)
	p.ends[0] = p.open
	p.close(p.ends)
	p.crowded = slices.Clip(p.crowded)
	p.records = append(p.records[:0], p.record(0))
	p.put()
}
