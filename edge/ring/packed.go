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
	records []byte   // count+1 records, the last a copy of the first, and padding for 8-byte loads
	crowded []uint32 // buckets of 8 points and more: excess over 7 << 6 | bucket in its group
	count   int      // points

	shape
	perSpan   uint64 // reciprocal of span
	perServer uint64 // reciprocal of servers
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
)

// newPacked makes the points and packs them.
func newPacked[W word](points *partitions[W], src *source, ties tieRule) *packed {
	points.fill(src)
	p := emptyPacked(src.total, points.servers)
	pack := packer[W]{packed: p}
	points.each(ties, pack.add)
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

func (s shape) recordBytes(points int) int64 { return int64((points+1)*s.width+7)/8 + 7 }

// emptyPacked returns a layout with room for the points.
func emptyPacked(points int, servers uint64) *packed {
	p := &packed{shape: shapeOf(points, servers)}
	p.perSpan, p.perServer = reciprocal(p.span), reciprocal(p.servers)
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

// aligned returns the record that starts at a bit in the top of a word, above
// bits of its neighbour.
func (p *packed) aligned(bit int) uint64 {
	return binary.LittleEndian.Uint64(p.records[bit>>3:]) << ((64 - p.width - bit&7) & 63)
}

// record returns the record at a position.
func (p *packed) record(at int) uint64 {
	return p.aligned(at*p.width) >> ((64 - p.width) & 63)
}

func (p *packed) lookup(h uint32) int { return p.server(p.seek(h)) }

func (p *packed) find(h uint32) int {
	at := p.seek(h)
	if at == p.count {
		return 0
	}
	return at
}

func (p *packed) server(at int) int {
	record := p.record(at)
	return int(record - divide(record, p.perServer)*p.servers)
}

// seek returns the number of points below h. It is one function, since each
// call that it made would cost a twentieth of it.
func (p *packed) seek(h uint32) int {
	bucket := divide(uint64(h), p.perSpan)
	g, i := &p.groups[bucket/64], bucket%64
	p0, p1, p2, before := g.planes[0], g.planes[1], g.planes[2], uint64(1)<<i-1
	at := int(g.start) + bits.OnesCount64(p0&before) + 2*bits.OnesCount64(p1&before) + 4*bits.OnesCount64(p2&before)
	count := g.count(i)
	if g.crowded != 0 {
		if at, count = p.addCrowded(g, i, at, count); count > maxCount {
			return p.seekCrowded(at, count, uint64(h)-bucket*p.span)
		}
	}
	least := (uint64(h) - bucket*p.span) * p.servers << ((64 - p.width) & 63)
	for bit := at * p.width; count > 0; bit += p.width {
		if p.aligned(bit) >= least {
			break
		}
		at++
		count--
	}
	return at
}

// count returns what the planes say of the points in a bucket.
func (g *group) count(i uint64) int {
	i &= 63
	return int(g.planes[0]>>i&1 | g.planes[1]>>i&1<<1 | g.planes[2]>>i&1<<2)
}

// seekCrowded searches a bucket that forged addresses could make very large.
func (p *packed) seekCrowded(at, count int, rest uint64) int {
	return at + sort.Search(count, func(i int) bool { return p.record(at+i) >= rest*p.servers })
}

// addCrowded adds what the planes can't say.
func (p *packed) addCrowded(g *group, i uint64, at, count int) (int, int) {
	first, entries := g.crowded>>7, g.crowded&127
	for _, entry := range p.crowded[first : first+entries] {
		other, excess := uint64(entry&63), int(entry>>6)
		if other < i {
			at += excess
		} else if other == i {
			count += excess
		}
	}
	return at, count
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
		g := &p.groups[bucket/64]
		_, count := p.addCrowded(g, bucket%64, at, g.count(bucket%64))
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
