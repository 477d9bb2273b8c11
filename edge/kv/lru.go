package kv

import (
	"hash/maphash"
	"sync"
)

// overheadBytes is what the LRU itself spends on a value, beside the value: its slot,
// with the key, and the free slots. Of them between 3/8 and 3/4 are in use, so that it is
// 85 to 171.
const overheadBytes = 128

// shards is how many parts the LRU's table grows in, so that growing is a short
// wait for those who look up meanwhile.
const (
	shardBits = 8
	shards    = 1 << shardBits
)

// lru keeps the values used lately, bounded by their bytes. Which are evicted is
// decided by CLOCK (Corbató 1968): a hand goes round, and takes what was not used
// since it came by. A list in the order of use would be exact, and writes four cache lines
// for each hit; this writes one, which the hit has read anyway. It is safe for
// concurrent use.
type lru struct {
	mu       sync.Mutex
	seed     maphash.Seed
	shards   [shards]shard
	hand     struct{ shard, slot int }
	bound    int64 // bytes
	bytes    int64 // held, at most bound
	epoch    int64 // how often all values were dropped
	counters [classes]Counters
}

// newLRU returns an LRU that holds at most bound bytes.
func newLRU(bound int64) *lru {
	return &lru{bound: bound, seed: maphash.MakeSeed()}
}

// shard returns the shard of keys with the hash.
func (l *lru) shard(hash uint64) *shard { return &l.shards[hash>>(64-shardBits)] }

// find returns the value of k, and whether the LRU holds one of type V. A value
// of another type is a miss: its key is in use in two forms, the later wins.
func find[V any](l *lru, k Key) (value V, ok bool) {
	id := k.id()
	hash := id.hash(l.seed)
	s := l.shard(hash)
	l.mu.Lock()
	defer l.mu.Unlock()
	if value, ok = kept[V](s, hash, &id); ok {
		l.counters[k.Prefix.class()].Hits++
	} else {
		l.counters[k.Prefix.class()].Misses++
	}
	return value, ok
}

// findAgain is find for a look-up that is counted as a miss already.
func findAgain[V any](l *lru, k Key) (value V, ok bool) {
	id := k.id()
	hash := id.hash(l.seed)
	l.mu.Lock()
	defer l.mu.Unlock()
	return kept[V](l.shard(hash), hash, &id)
}

// kept returns the value that a shard holds of a key, and notes that it was used.
func kept[V any](s *shard, hash uint64, k *id) (value V, ok bool) {
	i, held := s.find(hash, k)
	if !held {
		return value, false
	}
	at := &s.slots[i]
	if value, ok = at.value.(V); ok && !at.used {
		at.used = true
	}
	return value, ok
}

// read counts n bytes read from the store.
func (l *lru) read(p Prefix, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counters[p.class()].Read += int64(n)
}

// now returns the epoch, for add.
func (l *lru) now() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.epoch
}

// add keeps value, which counts for size bytes plus overheadBytes, after
// evicting others until the bound holds. A value larger than the bound is not
// kept, and evicts nothing; so is one that was read in an earlier epoch, since it may
// be stale.
func (l *lru) add(k Key, value any, size, epoch int64) {
	size += overheadBytes
	id := k.id()
	hash := id.hash(l.seed)
	s := l.shard(hash)
	l.mu.Lock()
	defer l.mu.Unlock()
	if epoch != l.epoch {
		return
	}
	if i, held := s.find(hash, &id); held {
		l.remove(s, i)
	}
	if size > l.bound {
		return
	}
	for l.bytes+size > l.bound {
		l.evict()
	}
	s.add(l.seed, slot{value: value, bytes: size, id: id, used: true})
	l.account(k.Prefix, size)
}

// evict moves the hand to the next value that was not used since the hand passed
// it, and drops that. There must be a value.
func (l *lru) evict() {
	for {
		s := &l.shards[l.hand.shard]
		if l.hand.slot >= len(s.slots) {
			l.hand.shard, l.hand.slot = (l.hand.shard+1)%shards, 0
			continue
		}
		switch at := &s.slots[l.hand.slot]; {
		case at.used:
			at.used = false
		case at.bytes > 0:
			l.counters[at.id.prefix.class()].Evictions++
			l.remove(s, l.hand.slot)
			return
		}
		l.hand.slot++
	}
}

// remove drops the value in a slot.
func (l *lru) remove(s *shard, slot int) {
	at := &s.slots[slot]
	l.account(at.id.prefix, -at.bytes)
	s.remove(l.seed, slot)
}

// account adds n to the bytes held in all and by the class of p.
func (l *lru) account(p Prefix, n int64) {
	l.bytes += n
	l.counters[p.class()].Bytes += n
}

// purge drops every value. It counts no evictions: nothing had to make room.
func (l *lru) purge() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shards = [shards]shard{}
	l.epoch++
	l.bytes = 0
	for c := range l.counters {
		l.counters[c].Bytes = 0
	}
}

// stats returns the counters of all classes.
func (l *lru) stats() map[Class]Counters {
	l.mu.Lock()
	defer l.mu.Unlock()
	stats := make(map[Class]Counters, classes)
	for c, counters := range l.counters {
		stats[Class(c)] = counters
	}
	return stats
}
