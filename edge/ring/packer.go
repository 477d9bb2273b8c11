package ring

import (
	"encoding/binary"
	"slices"
)

// packer fills a packed layout with points in order of their hash, a partition
// at a time. It sorts by the buckets of the layout, so that one division gives
// a point its place in the order and its record, and the counts that sort are
// those that the directory needs.
type packer[W word] struct {
	directory
	recordSpan    uint64 // records in a bucket
	perRecordSpan uint64 // reciprocal of recordSpan
	before        uint64 // the last record in the bit string

	// Of a partition; its buckets are numbered from the open one.
	keys   []uint64 // slot and record of each point, as it came
	slots  []byte   // points in each slot; once placed, in the slots of its bucket up to and with it
	totals []byte   // points in each bucket
	starts []uint32 // points before each bucket
	placed []uint64 // bucket and record of each point, by slot, and an end
}

// A bucket has eight slots: so few points share one that hardly any is out of
// order once placed, and the counts of a bucket are one word of eight bytes. A
// ring has a point for each server at least, so a record has 34 bits at most.
const (
	bucketSlots = 8
	recordBits  = 40
	recordMask  = 1<<recordBits - 1
	bucketShift = recordBits + 3                  // bucket << bucketShift | record, once placed
	slotMask    = (bucketSlots - 1) << recordBits // what a key has more

	eachByte    = 0x0101010101010101 // times x: the sums of the bytes of x up to each
	maxSlot     = 31                 // points that a slot may hold: eight such sum up to a byte
	aboveSlot   = (^maxSlot & 0xff) * eachByte
	placedEnd   = ^uint64(0) // greater than any point
	placedExtra = 2          // ends behind the points, as many as put carries along
)

func newPacker[W word](p *packed) *packer[W] {
	span := p.span * p.servers
	return &packer[W]{directory: directory{packed: p}, recordSpan: span, perRecordSpan: reciprocal(span)}
}

// add appends the points of a partition: base and last are the least and the
// greatest hash in it. It appends none and reports false when they crowd as
// only forged addresses make them.
func (p *packer[W]) add(base, last uint32, words []W, ties tieRule) bool {
	p.note(base, last, words)
	if !p.place() {
		return false
	}
	if !p.put() {
		p.settle(ties)
		p.put()
	}
	p.count += len(p.placed) - placedExtra
	p.enter(p.totals)
	return true
}

// note makes the keys of words and counts them by slot.
func (p *packer[W]) note(base, last uint32, words []W) {
	buckets := int(divide(uint64(last), p.perSpan)-p.bucket) + 1
	p.slots = resize(p.slots, buckets*bucketSlots)
	p.keys = resize(p.keys, len(words))
	clear(p.slots)
	slots, keys, span, per := p.slots, p.keys[:len(words)], p.recordSpan, p.perRecordSpan
	offset := uint64(base)*p.servers - p.bucket*span
	for i, w := range words {
		x := offset + uint64(w)
		slot := divide(x*bucketSlots, per)
		record := x - slot/bucketSlots*span
		if int64(record) < 0 { // x is too large for the reciprocal: the slot is one too many
			slot--
			record += span
		}
		slots[slot]++
		keys[i] = slot<<recordBits | record
	}
}

// place puts the keys in order of their slots. It reports false when a slot
// holds more than maxSlot.
func (p *packer[W]) place() bool {
	buckets := len(p.slots) / bucketSlots
	p.totals, p.starts = resize(p.totals, buckets), resize(p.starts, buckets)
	slots, totals, starts := p.slots, p.totals, p.starts[:buckets]
	start, bits := uint32(0), uint64(0)
	for i := range totals {
		of := slots[i*bucketSlots:][:bucketSlots]
		counts := binary.LittleEndian.Uint64(of)
		ends := counts * eachByte
		binary.LittleEndian.PutUint64(of, ends<<8)
		total := ends >> 56
		totals[i], starts[i] = byte(total), start
		start += uint32(total)
		bits |= counts
	}
	if bits&aboveSlot != 0 || int(start) != len(p.keys) { // a byte that overflowed has lost points
		return false
	}
	p.placed = resize(p.placed, len(p.keys)+placedExtra)
	placed := p.placed
	for _, key := range p.keys {
		slot := key >> recordBits
		end := &slots[slot]
		placed[starts[slot/bucketSlots]+uint32(*end)] = key &^ slotMask
		*end++
	}
	placed[len(placed)-2], placed[len(placed)-1] = placedEnd, placedEnd
	return true
}

// put appends the placed points to the bit string. It carries the two greatest
// so far along, which puts right all but one slot in fifty thousand, without
// the branches that would be guessed wrong. Where that is not enough or two
// points share a hash, it reports false, and is to be called once more.
func (p *packer[W]) put() bool {
	bit, width, before := p.count*p.width, p.width, p.before
	to, last, near, perServer := p.records, -p.servers, int64(p.servers), p.perServer
	second, greatest := min(p.placed[0], p.placed[1]), max(p.placed[0], p.placed[1])
	for _, key := range p.placed[placedExtra:] {
		key, greatest = min(key, greatest), max(key, greatest)
		key, second = min(key, second), max(key, second)
		record := key & recordMask
		if int64(key-last) < near && (key < last || divide(record, perServer) == divide(before, perServer)) {
			return false
		}
		binary.LittleEndian.PutUint64(to[bit>>3:], joined(before, record, bit, width))
		bit += width
		last, before = key, record
	}
	p.before = before
	return true
}

// joined returns the bytes of a record that starts at a bit: with the end of
// the one before it in the low bits, so that no store waits for another.
func joined(before, record uint64, bit, width int) uint64 {
	shared := bit & 7
	return record<<shared | before>>((width-shared)&63)
}

// settle brings the placed points in order and keeps one for each hash.
func (p *packer[W]) settle(ties tieRule) {
	keys := p.placed[:len(p.placed)-placedExtra]
	insertionSort(keys, 0)
	kept := keys[:1]
	for _, key := range keys[1:] {
		last := &kept[len(kept)-1]
		bucket, rest := key>>bucketShift, divide(key&recordMask, p.perServer)
		if key-*last >= p.servers || divide(*last&recordMask, p.perServer) != rest {
			kept = append(kept, key)
			continue
		}
		p.totals[bucket]--
		hash, first := (p.bucket+bucket)*p.span+rest, rest*p.servers
		if ties.less(uint32(hash), key&recordMask-first, *last&recordMask-first) {
			*last = key
		}
	}
	p.placed = append(kept, placedEnd, placedEnd)
}

// addSorted appends the points of a partition whatever they are: in order, one
// for each hash.
func (p *packer[W]) addSorted(base uint32, words []W) {
	first := uint64(base) * p.servers
	for _, w := range words {
		bucket := divide(uint64(base)+divide(uint64(w), p.perServer), p.perSpan)
		for p.bucket < bucket {
			p.close()
		}
		p.open++
		p.append(first + uint64(w) - bucket*p.recordSpan)
		p.count++
	}
}

// append stores a record behind the last.
func (p *packer[W]) append(record uint64) {
	bit := p.count * p.width
	binary.LittleEndian.PutUint64(p.records[bit>>3:], joined(p.before, record, bit, p.width))
	p.before = record
}

// finish closes all buckets and makes the wrap free: the position after the
// last point holds a copy of the first.
func (p *packer[W]) finish() {
	for p.bucket < uint64(64*len(p.groups)) {
		p.close()
	}
	p.crowded = slices.Clip(p.crowded)
	p.append(p.record(0))
}
