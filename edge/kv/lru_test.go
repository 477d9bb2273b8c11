package kv

import (
	"fmt"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

// TestLRUAgainstModel compares the LRU with a list that is searched from end
// to end.
func TestLRUAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.Int64Range(0, 10*overheadBytes).Draw(t, "bound")
		l, m := newLRU(bound), model{bound: bound}
		prefix := rapid.SampledFrom(Prefixes())
		name := rapid.StringMatching(`[a-d]{1,2}`)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := Key{Prefix: prefix.Draw(t, "prefix"), Name: name.Draw(t, "name")}
			if rapid.Bool().Draw(t, "add") {
				size := rapid.Int64Range(0, 4*overheadBytes).Draw(t, "size")
				l.add(k, size, size, l.now())
				m.add(k, size)
			} else {
				got, ok := find[int64](l, k)
				want, known := m.find(k)
				if got != want || ok != known {
					t.Fatalf("find %v: got %d %v, want %d %v", k, got, ok, want, known)
				}
			}
			if got := l.stats(); fmt.Sprint(got) != fmt.Sprint(m.stats()) {
				t.Fatalf("after %v: got %+v, want %+v", k, got, m.stats())
			}
			if l.bytes > bound {
				t.Fatalf("%d bytes held, bound %d", l.bytes, bound)
			}
		}
	})
}

// model is a slow LRU; the value used last is at the end.
type model struct {
	bound    int64
	keys     []Key
	sizes    []int64
	counters [classes]Counters
}

func (m *model) index(k Key) int {
	for i := range m.keys {
		if m.keys[i] == k {
			return i
		}
	}
	return -1
}

func (m *model) remove(i int) {
	m.keys = append(m.keys[:i:i], m.keys[i+1:]...)
	m.sizes = append(m.sizes[:i:i], m.sizes[i+1:]...)
}

func (m *model) find(k Key) (int64, bool) {
	i := m.index(k)
	if i < 0 {
		m.counters[k.Prefix.class()].Misses++
		return 0, false
	}
	m.counters[k.Prefix.class()].Hits++
	size := m.sizes[i]
	m.remove(i)
	m.keys, m.sizes = append(m.keys, k), append(m.sizes, size)
	return size, true
}

func (m *model) add(k Key, size int64) {
	if i := m.index(k); i >= 0 {
		m.remove(i)
	}
	if size+int64(len(k.Name))+overheadBytes > m.bound {
		return
	}
	m.keys, m.sizes = append(m.keys, k), append(m.sizes, size)
	for m.bytes() > m.bound {
		m.counters[m.keys[0].Prefix.class()].Evictions++
		m.remove(0)
	}
}

func (m *model) bytes() int64 {
	var n int64
	for i, k := range m.keys {
		n += m.sizes[i] + int64(len(k.Name)) + overheadBytes
	}
	return n
}

func (m *model) stats() map[Class]Counters {
	stats := map[Class]Counters{}
	for c, counters := range m.counters {
		for i, k := range m.keys {
			if k.Prefix.class() == Class(c) {
				counters.Bytes += m.sizes[i] + int64(len(k.Name)) + overheadBytes
			}
		}
		stats[Class(c)] = counters
	}
	return stats
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
// the heap.
func TestBytesAreWhatTheHeapHolds(t *testing.T) {
	l := newLRU(1 << 30)
	before := heapBytes()
	for i := range 100_000 {
		value := new([32]byte)
		l.add(Key{Entries, fmt.Sprintf("%032d", i)}, value, int64(len(value)), l.now())
	}
	grown := heapBytes() - before
	if ratio := float64(grown) / float64(l.bytes); ratio < 0.75 || ratio > 1.25 {
		t.Errorf("heap grew by %d bytes, the LRU counts %d: ratio %.2f", grown, l.bytes, ratio)
	}
	runtime.KeepAlive(l)
}

// heapBytes returns the bytes of live objects.
func heapBytes() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
