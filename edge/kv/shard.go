package kv

import "hash/maphash"

// shard is a hash table with open addressing: a value is in the first free slot
// from the one that its hash names, so that what a look-up reads is adjacent. At
// most three quarters of the slots are in use.
type shard struct {
	slots []slot // a power of two, or none
	held  int
}

// leastSlots is how many slots a shard with one value has.
const leastSlots = 4

// find returns the index of the slot that holds k, and whether one does; if
// not, the index is that of the free slot which k would get.
func (s *shard) find(hash uint64, k *id) (int, bool) {
	if len(s.slots) == 0 {
		return 0, false
	}
	mask := len(s.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		at := &s.slots[i]
		if at.bytes == 0 {
			return i, false
		}
		if at.id == *k {
			return i, true
		}
	}
}

// add puts what the shard does not hold into a slot.
func (s *shard) add(seed maphash.Seed, added slot) {
	if 4*(s.held+1) > 3*len(s.slots) {
		s.grow(seed)
	}
	i, _ := s.find(added.id.hash(seed), &added.id)
	s.slots[i] = added
	s.held++
}

// grow doubles the slots.
func (s *shard) grow(seed maphash.Seed) {
	old := s.slots
	*s = shard{slots: make([]slot, max(2*len(old), leastSlots))}
	for i := range old {
		if old[i].bytes > 0 {
			s.add(seed, old[i])
		}
	}
}

// remove frees a slot, and moves each value behind it that would not be found
// any more (Knuth, TAOCP 6.4, algorithm R).
func (s *shard) remove(seed maphash.Seed, free int) {
	mask := len(s.slots) - 1
	for i := (free + 1) & mask; s.slots[i].bytes > 0; i = (i + 1) & mask {
		home := int(s.slots[i].id.hash(seed)) & mask
		if (i-home)&mask >= (i-free)&mask {
			s.slots[free] = s.slots[i]
			free = i
		}
	}
	s.slots[free] = slot{}
	s.held--
}
