package kv

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// overheadBytes is what the LRU itself spends on a value, beside the value and
// the key's name: the list element, the map slot and the interface. Measured
// at 100,000 entries on a 64-bit machine, where the map is between one and two times
// its least size.
const overheadBytes = 192

// item is a value in the LRU and what it counts for.
type item struct {
	value any
	bytes int64
}

// lru keeps the values used last, bounded by their bytes. It is safe for
// concurrent use.
type lru struct {
	mu       sync.Mutex
	list     *simplelru.LRU[Key, item]
	bound    int64 // bytes
	bytes    int64 // held, at most bound
	epoch    int64 // how often all values were dropped
	counters [classes]Counters
}

// newLRU returns an LRU that holds at most bound bytes.
func newLRU(bound int64) *lru {
	list, err := simplelru.NewLRU[Key, item](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a size below one
	}
	return &lru{list: list, bound: bound}
}

// find returns the value of k, and whether the LRU holds one of type V. A value
// of another type is a miss: its key is in use in two forms, the later wins.
func find[V any](l *lru, k Key) (V, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	it, _ := l.list.Get(k)
	value, ok := it.value.(V)
	if ok {
		l.counters[k.Prefix.class()].Hits++
	} else {
		l.counters[k.Prefix.class()].Misses++
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

// add keeps value, which counts for size bytes plus those of its key, and
// evicts the values used longest ago until the bound holds. A value larger than
// the bound is not kept, and evicts nothing; so is one that was read in an
// earlier epoch, since it may be stale.
func (l *lru) add(k Key, value any, size, epoch int64) {
	size += int64(len(k.Name)) + overheadBytes
	l.mu.Lock()
	defer l.mu.Unlock()
	if epoch != l.epoch {
		return
	}
	if old, ok := l.list.Peek(k); ok {
		l.list.Remove(k)
		l.account(k, -old.bytes)
	}
	if size > l.bound {
		return
	}
	l.list.Add(k, item{value: value, bytes: size})
	l.account(k, size)
	for l.bytes > l.bound {
		oldKey, old, _ := l.list.RemoveOldest()
		l.account(oldKey, -old.bytes)
		l.counters[oldKey.Prefix.class()].Evictions++
	}
}

// account adds n to the bytes held in all and by the class of k.
func (l *lru) account(k Key, n int64) {
	l.bytes += n
	l.counters[k.Prefix.class()].Bytes += n
}

// purge drops every value. It counts no evictions: nothing had to make room.
func (l *lru) purge() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list.Purge()
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
