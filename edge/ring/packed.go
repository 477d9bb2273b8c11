package ring

import (
	"encoding/binary"
	"math/bits"
	"sort"
	"unsafe"
)

// packed is the layout of v3. The hash space is cut into buckets of span
// hashes, about two points each. A point is one record of width bits:
// (hash − start of its bucket) × servers + server; the records stand in order
// of their hash in one bit string. A directory group tells the position of
// the first record of each of its 64 buckets.
//
// A look-up divides the hash by span, reads one group (half a cache line),
// sums the counts before its bucket by three popcounts, and scans the bucket's
// records: two cache misses, where a binary search of 880,000 points has
// twenty. Comparing needs no unpacking: a record is at or after the hash when
// it is at least (hash − start) × servers; its server is the remainder.
//
// Since neither span nor servers is a power of two, no fraction of a bit is
// lost to rounding except in the counts: the size stays within 1.12 × the
// floor of (log₂(2³²/points) + 1.443 + log₂ servers)/8 bytes a point from
// 88,000 points on, for any number of servers from some hundred on. It costs
// four multiplications more than shifts would. Fewer bits are possible
// (Elias–Fano: 3.03 bytes instead of 3.17) at twice the time.
type packed struct {
	groups  []group
	records []byte   // count+1 records, the last a copy of the first, and padding for a window
	crowded []uint32 // buckets of 8 points and more: excess over 7 << 6 | bucket in its group
	count   int      // points

	shape
	perSpan   uint64 // reciprocal of span
	perServer uint64 // reciprocal of servers
	mask      uint64 // width ones
}

// group is the directory of 64 buckets. The three bits of a bucket's count
// lie in three planes, so that the points before a bucket are a popcount of
// each plane.
type group struct {
	planes  [3]uint64
	start   uint32 // position of the first record
	crowded uint32 // index of the first entry in packed.crowded << 7 | entries
}

const (
	maxCount = 7 // what the planes can say
	// maxLoad is the mean number of points in a bucket above which too many
	// buckets are crowded.
	maxLoad = 2.5
	// probes is the number of records that a look-up compares with the hash.
	probes = 4
)

// newPacked makes the points and packs them.
func newPacked[W word](points *partitions[W], src *source, ties tieRule) *packed {
	points.fillChunks(src)
	p := emptyPacked(src.total, points.servers)
	pack := newPacker[W](p)
	for i := range points.ends {
		if base, last := points.base(i), points.base(i+1)-1; !pack.add(base, last, points.unordered(i), ties) {
			pack.addSorted(base, points.order(i, ties))
		}
	}
	pack.finish()
	return p
}

// shape is how the bits of a packed layout are shared out.
type shape struct {
	width   int    // bits of a record
	span    uint64 // hashes in a bucket
	servers uint64 // at least 2
}

// shapeOf chooses the width of a record: the largest whose buckets hold at
// most maxLoad points.
func shapeOf(points int, servers uint64) shape {
	s := shape{servers: servers, span: 2}
	for width := bits.Len64(2*servers - 1); ; width++ {
		span := (1 << width) / servers
		if span > 1<<32 || float64(points)*float64(span)/(1<<32) > maxLoad {
			break
		}
		s.span = span
	}
	s.width = bits.Len64(s.span*s.servers - 1)
	return s
}

// buckets returns the number of buckets that cover the hash space.
func (s shape) buckets() uint64 { return (1<<32-1)/s.span + 1 }

func (s shape) groupBytes() int64 { return int64((s.buckets()+63)/64) * int64(unsafe.Sizeof(group{})) }

func (s shape) recordBytes(points int) int64 {
	return int64((points+1)*s.width+7)/8 + int64(len(window{}))
}

// emptyPacked returns a layout with room for the points.
func emptyPacked(points int, servers uint64) *packed {
	p := &packed{shape: shapeOf(points, servers)}
	p.perSpan, p.perServer = reciprocal(p.span), reciprocal(p.servers)
	p.mask = 1<<p.width - 1
	p.groups = make([]group, (p.buckets()+63)/64)
	p.records = make([]byte, p.recordBytes(points))
	return p
}

// reciprocal returns m such that the high half of m × x is x / d, for
// x < 2⁴⁸ and 2 ≤ d ≤ 2¹⁶ and for x < 2³² and any d below 2³²: m × d exceeds
// 2⁶⁴ by at most d, and x × d < 2⁶⁴.
func reciprocal(d uint64) uint64 { return ^uint64(0)/d + 1 }

// divide returns x / d, of which m is the reciprocal.
func divide(x, m uint64) uint64 {
	quotient, _ := bits.Mul64(x, m)
	return quotient
}

// record returns the record at a position.
func (p *packed) record(at int) uint64 {
	bit := at * p.width
	return binary.LittleEndian.Uint64(p.records[bit>>3:]) >> (bit & 7) & p.mask
}

func (p *packed) lookup(h uint32) int {
	_, record := p.seek(h)
	return p.serverOf(record)
}

func (p *packed) find(h uint32) int {
	at, _ := p.seek(h)
	if at == p.count {
		return 0
	}
	return at
}

func (p *packed) server(at int) int { return p.serverOf(p.record(at)) }

func (p *packed) serverOf(record uint64) int {
	return int(record - divide(record, p.perServer)*p.servers)
}

// seek returns the number of points below h, and the record of the next one.
// It is one function, since each call that it made would cost a twentieth of
// it. The records of all but crowded buckets are compared without a branch: a
// processor that guesses how far a bucket must be searched is wrong every
// other time, and one that need not guess runs ahead into the next look-up.
func (p *packed) seek(h uint32) (at int, record uint64) {
	bucket := divide(uint64(h), p.perSpan)
	g, i := &p.groups[bucket/64], bucket%64
	p0, p1, p2, before := g.planes[0], g.planes[1], g.planes[2], uint64(1)<<i-1
	at = int(g.start) + bits.OnesCount64(p0&before) + 2*bits.OnesCount64(p1&before) + 4*bits.OnesCount64(p2&before)
	end := g.count(i)
	least := (uint64(h) - bucket*p.span) * p.servers
	if end > probes || g.crowded != 0 {
		return p.seekCrowded(bucket, at, least)
	}
	width, mask := uint(p.width), p.mask
	bit := uint(at) * width
	near := (*window)(p.records[bit>>3:])
	bit &= 7
	// A difference is negative where the record is below, the other where the
	// record is in the bucket.
	below := uint((near.record(bit, mask)-least)&(0-end)>>63 +
		(near.record(bit+width, mask)-least)&(1-end)>>63 +
		(near.record(bit+2*width, mask)-least)&(2-end)>>63 +
		(near.record(bit+3*width, mask)-least)&(3-end)>>63)
	return at + int(below), near.record(bit+below*width, mask)
}

// window is where a look-up finds the records of a bucket: up to 7 bits and
// probes+1 records of 48 bits, read 8 bytes at a time.
type window [40]byte

// record returns the record that starts at a bit.
func (w *window) record(bit uint, mask uint64) uint64 {
	return binary.LittleEndian.Uint64(w[bit>>3&31:]) >> (bit & 7) & mask
}

// count returns what the planes say of the points in a bucket.
func (g *group) count(i uint64) uint64 {
	i &= 63
	return g.planes[0]>>i&1 | g.planes[1]>>i&1<<1 | g.planes[2]>>i&1<<2
}

// seekCrowded is seek for what its probes don't reach, from the position that
// the planes name on. Forged addresses could make a bucket very large.
func (p *packed) seekCrowded(bucket uint64, at int, least uint64) (int, uint64) {
	before, count := p.crowding(bucket)
	at += before
	at += sort.Search(count, func(i int) bool { return p.record(at+i) >= least })
	return at, p.record(at)
}

// crowding returns the points before a bucket that the planes of its group
// leave out, and all points in the bucket.
func (p *packed) crowding(bucket uint64) (before, count int) {
	g, i := &p.groups[bucket/64], bucket%64
	count = int(g.count(i))
	first, entries := g.crowded>>7, g.crowded&127
	for _, entry := range p.crowded[first : first+entries] {
		other, excess := uint64(entry&63), int(entry>>6)
		if other < i {
			before += excess
		} else if other == i {
			count += excess
		}
	}
	return before, count
}

func (p *packed) points() int { return p.count }

func (p *packed) bytes() int {
	return int(unsafe.Sizeof(*p)) + int(p.groupBytes()) + cap(p.records) + 4*cap(p.crowded)
}

// each calls take with every point in order of its hash until it returns
// false.
func (p *packed) each(take func(hash uint32, server int) bool) {
	at := 0
	for bucket := range p.buckets() {
		_, count := p.crowding(bucket)
		for ; count > 0; count-- {
			record := p.record(at)
			rest := record / p.servers
			if !take(uint32(bucket*p.span+rest), int(record-rest*p.servers)) {
				return
			}
			at++
		}
	}
}
