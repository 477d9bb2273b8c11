package ring

import "hash/crc32"

// chainTables holds the CRC of each byte value at each of the four places of
// a 32-bit word, so that one point costs four independent loads.
type chainTables [4][256]uint32

func newChainTables() *chainTables {
	t := new(chainTables)
	t[0] = *crc32.IEEETable
	for place := 1; place < 4; place++ {
		for b := range 256 {
			crc := t[place-1][b]
			t[place][b] = crc>>8 ^ t[0][byte(crc)]
		}
	}
	return t
}

// next continues the CRC of four bytes. With y the complement of a point's
// hash and start the CRC of the server's prefix, next(start ^ y) is the
// complement of the following point's hash: the two complements that CRC-32
// makes at both ends cancel out.
func (t *chainTables) next(y uint32) uint32 {
	return t[3][byte(y)] ^ t[2][byte(y>>8)] ^ t[1][byte(y>>16)] ^ t[0][y>>24]
}

const (
	chainLanes = 4
	chainRun   = 256 // points of one lane handed over at once
)

// lane is the chain of one server: its points depend on one another, so one
// chain alone waits for memory most of the time.
type lane struct {
	server int
	start  uint32
	y      uint32 // complement of the last hash
	left   int
	out    [chainRun]uint32
}

// chains makes the points of all servers, four chains at a time, which takes
// about a third of the time of one after the other.
type chains struct {
	tables *chainTables
	lanes  [chainLanes]lane

	sliceBits int    // when set, only the points whose top bits are slice are handed over,
	slice     uint32 // without those bits
}

// each calls take with the points of all servers: runs of hashes of one
// server, valid until take returns.
func (c *chains) each(src *source, take func(server int, hashes []uint32)) {
	if c.tables == nil {
		c.tables = newChainTables()
	}
	for next := 0; ; {
		live := 0
		for i := range c.lanes {
			l := &c.lanes[i]
			if l.left == 0 && next < len(src.counts) {
				l.server, l.start, l.left, l.y = next, src.starts[next], src.counts[next], ^uint32(0)
				next++
			}
			if l.left > 0 {
				live++
			}
		}
		if live == 0 {
			return
		}
		if live == chainLanes {
			c.runAll(take)
			continue
		}
		for i := range c.lanes {
			c.runOne(&c.lanes[i], take)
		}
	}
}

// runAll advances the four lanes in step.
func (c *chains) runAll(take func(server int, hashes []uint32)) {
	t := c.tables
	l0, l1, l2, l3 := &c.lanes[0], &c.lanes[1], &c.lanes[2], &c.lanes[3]
	run := min(chainRun, l0.left, l1.left, l2.left, l3.left)
	y0, y1, y2, y3 := l0.y, l1.y, l2.y, l3.y
	for i := range run {
		y0, y1 = t.next(l0.start^y0), t.next(l1.start^y1)
		y2, y3 = t.next(l2.start^y2), t.next(l3.start^y3)
		l0.out[i], l1.out[i], l2.out[i], l3.out[i] = ^y0, ^y1, ^y2, ^y3
	}
	l0.y, l1.y, l2.y, l3.y = y0, y1, y2, y3
	for i := range c.lanes {
		l := &c.lanes[i]
		l.left -= run
		take(l.server, c.inSlice(l.out[:run]))
	}
}

// runOne advances one lane by itself.
func (c *chains) runOne(l *lane, take func(server int, hashes []uint32)) {
	run := min(chainRun, l.left)
	if run == 0 {
		return
	}
	for i := range run {
		l.y = c.tables.next(l.start ^ l.y)
		l.out[i] = ^l.y
	}
	l.left -= run
	take(l.server, c.inSlice(l.out[:run]))
}

// inSlice drops the hashes of other slices, in place.
func (c *chains) inSlice(hashes []uint32) []uint32 {
	if c.sliceBits == 0 {
		return hashes
	}
	shift, within := 32-c.sliceBits, uint32(1)<<(32-c.sliceBits)-1
	kept := 0
	for _, h := range hashes {
		hashes[kept] = h & within
		if h>>shift == c.slice {
			kept++
		}
	}
	return hashes[:kept]
}
