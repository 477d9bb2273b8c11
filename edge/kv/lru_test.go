package kv

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"pgregory.net/rapid"
)

// TestLRULaws adds and finds values, and checks after each step what must hold of any
// order of eviction, and what CLOCK promises of its own.
func TestLRULaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.Int64Range(0, 10*overheadBytes).Draw(t, "bound")
		l, added := newLRU(bound), map[id]int64{}
		prefix := rapid.SampledFrom(Prefixes())
		name := rapid.StringMatching(`[a-d]{1,2}`)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := Key{Prefix: prefix.Draw(t, "prefix"), Name: name.Draw(t, "name")}
			before, counted := contents(l), l.counters
			if rapid.Bool().Draw(t, "add") {
				size := rapid.Int64Range(0, 4*overheadBytes).Draw(t, "size")
				l.add(k, size, size, l.now())
				added[k.id()] = size
				checkAdd(t, l, k.id(), before, counted)
			} else {
				checkFind(t, l, k, before, counted)
			}
			checkContents(t, l, added)
		}
	})
}

// contents returns a copy of the slots in use.
func contents(l *lru) map[id]slot {
	held := map[id]slot{}
	for i := range l.shards {
		for _, at := range l.shards[i].slots {
			if at.bytes > 0 {
				held[at.id] = at
			}
		}
	}
	return held
}

// checkContents checks that the LRU holds what was added last under each key, within
// its bound, and that the counted bytes are those of what it holds.
func checkContents(t *rapid.T, l *lru, added map[id]int64) {
	var bytes [classes]int64
	for k, at := range contents(l) {
		if at.value != added[k] || at.bytes != added[k]+overheadBytes {
			t.Fatalf("%q: holds %v of %d bytes, added %d", k.name[:k.length], at.value, at.bytes, added[k])
		}
		bytes[k.prefix.class()] += at.bytes
	}
	sum := int64(0)
	for c, n := range bytes {
		if got := l.stats()[Class(c)].Bytes; got != n {
			t.Fatalf("%v: counts %d bytes, holds %d", Class(c), got, n)
		}
		sum += n
	}
	if l.bytes != sum || sum > l.bound {
		t.Fatalf("counts %d bytes, holds %d, bound %d", l.bytes, sum, l.bound)
	}
}

// checkAdd checks what an add did to the values before it.
func checkAdd(t *rapid.T, l *lru, k id, before map[id]slot, counted [classes]Counters) {
	after := contents(l)
	own, kept := after[k]
	delete(before, k)
	delete(after, k)
	free, usedEvicted := l.bound, false
	for other, at := range before {
		free -= at.bytes
		if _, held := after[other]; !held {
			counted[other.prefix.class()].Evictions++
			usedEvicted = usedEvicted || at.used
		}
	}
	for c := range counted {
		if got := l.counters[c]; got.Evictions != counted[c].Evictions || got.Hits != counted[c].Hits || got.Misses != counted[c].Misses {
			t.Fatalf("%v: counts %+v, want %+v", Class(c), got, counted[c])
		}
	}
	if evicted := len(before) - len(after); evicted > 0 && (!kept || own.bytes <= free) {
		t.Fatalf("%d values were evicted for %d bytes with %d free", evicted, own.bytes, free)
	}
	for other := range after {
		if usedEvicted && !before[other].used {
			t.Fatalf("%q was not used and is held, while a used one was evicted", other.name[:other.length])
		}
	}
}

// checkFind checks that a find answers from what is held, counts, and drops nothing.
func checkFind(t *rapid.T, l *lru, k Key, before map[id]slot, counted [classes]Counters) {
	got, ok := find[int64](l, k)
	at, held := before[k.id()]
	if ok != held || held && got != at.value {
		t.Fatalf("find %v: got %d %v, want %v %v", k, got, ok, at.value, held)
	}
	if ok {
		counted[k.Prefix.class()].Hits++
		at.used = true
		before[k.id()] = at
	} else {
		counted[k.Prefix.class()].Misses++
	}
	if l.counters != counted {
		t.Fatalf("find %v: counts %+v, want %+v", k, l.counters, counted)
	}
	if after := contents(l); !maps.Equal(before, after) {
		t.Fatalf("find %v: holds %v, want %v", k, after, before)
	}
}

// TestHitRatioIsThatOfAnLRU asks for values by Zipf's law, with room for a quarter of
// them, and compares the hits with those of a list in the exact order of use.
func TestHitRatioIsThatOfAnLRU(t *testing.T) {
	const values, room, draws = 4000, 1000, 100_000
	l := newLRU(room * overheadBytes)
	exact, err := simplelru.NewLRU[uint64, bool](room, nil)
	if err != nil {
		t.Fatal(err)
	}
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 1)), 1.1, 1, values-1)
	hits, exactHits := 0, 0
	for range draws {
		drawn := zipf.Uint64()
		if _, ok := find[bool](l, NeighbourKey(drawn)); ok {
			hits++
		} else {
			l.add(NeighbourKey(drawn), true, 0, 0)
		}
		if _, ok := exact.Get(drawn); ok {
			exactHits++
		} else {
			exact.Add(drawn, true)
		}
	}
	if difference := float64(hits-exactHits) / draws; difference < -0.01 || difference > 0.03 {
		t.Errorf("%d hits of %d, a list has %d", hits, draws, exactHits)
	}
}

func TestAddOfAnEarlierEpochIsDropped(t *testing.T) {
	l := newLRU(1 << 20)
	before := l.now()
	l.purge()
	l.add(Key{Entries, "a"}, "stale", 5, before)
	if value, ok := find[string](l, Key{Entries, "a"}); ok {
		t.Errorf("got %q, which was read before the purge", value)
	}
}

// TestBytesAreWhatTheHeapHolds compares the LRU's own count with the growth of
// the heap, where few and where many of its slots are in use.
func TestBytesAreWhatTheHeapHolds(t *testing.T) {
	for _, values := range []int{70_000, 100_000, 180_000} {
		l := newLRU(1 << 30)
		before := heapBytes()
		for i := range values {
			value := new([64]byte)
			l.add(Key{Entries, fmt.Sprintf("%032d", i)}, value, int64(len(value)), l.now())
		}
		grown := heapBytes() - before
		if ratio := float64(grown) / float64(l.bytes); ratio < 0.75 || ratio > 1.25 {
			t.Errorf("%d values: heap grew by %d bytes, the LRU counts %d: ratio %.2f", values, grown, l.bytes, ratio)
		}
		runtime.KeepAlive(l)
	}
}

// heapBytes returns the bytes of live objects.
func heapBytes() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
