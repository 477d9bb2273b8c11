package ring

import "encoding/binary"

// directory enters the counts of buckets into the groups of a packed layout.
// Its last bucket stays open: the next partition may add to it.
type directory struct {
	*packed
	bucket   uint64 // the open bucket
	open     uint32 // points in it so far
	position uint32 // points before it
}

// enter adds counts to buckets from the open one on, and leaves the last open.
func (d *directory) enter(counts []byte) {
	last := len(counts) - 1
	for i := 0; i < last; {
		if i+8 <= last && d.closeEight(binary.LittleEndian.Uint64(counts[i:])) {
			i += 8
			continue
		}
		d.open += uint32(counts[i])
		d.close()
		i++
	}
	d.open += uint32(counts[last])
}

// closeEight closes eight buckets at once, each with the count in a byte. It
// reports false unless they share the bytes of the planes and none is crowded.
func (d *directory) closeEight(counts uint64) bool {
	if d.bucket%8 != 0 || d.open != 0 || counts&^(maxCount*eachByte) != 0 {
		return false
	}
	g, i := d.groupOfOpen()
	g.planes[0] |= lowBits(counts) << i
	g.planes[1] |= lowBits(counts>>1) << i
	g.planes[2] |= lowBits(counts>>2) << i
	d.bucket += 8
	d.position += uint32(counts * eachByte >> 56)
	return true
}

// lowBits returns the lowest bit of each byte, side by side.
func lowBits(bytes uint64) uint64 {
	const gather = 0x0102040810204080 // moves the lowest bit of byte i to bit 56 + i
	return bytes & eachByte * gather >> 56
}

// close closes the open bucket.
func (d *directory) close() {
	g, i := d.groupOfOpen()
	count := uint64(min(d.open, maxCount))
	if d.open > maxCount {
		d.addCrowded(g, d.open-maxCount, uint32(i))
	}
	for plane := range g.planes {
		g.planes[plane] |= count >> plane & 1 << i
	}
	d.position += d.open
	d.bucket, d.open = d.bucket+1, 0
}

// groupOfOpen returns the group of the open bucket and the bucket's place in it.
func (d *directory) groupOfOpen() (g *group, i uint64) {
	g, i = &d.groups[d.bucket/64], d.bucket%64
	if i == 0 {
		g.start = d.position
	}
	return g, i
}

// addCrowded enters a count that the planes can't say.
func (d *directory) addCrowded(g *group, excess, bucketInGroup uint32) {
	if g.crowded == 0 {
		g.crowded = uint32(len(d.crowded)) << 7
	}
	g.crowded++
	d.crowded = append(d.crowded, excess<<6|bucketInGroup)
}
