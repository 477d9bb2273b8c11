package kv

import (
	"crypto/sha256"
	"fmt"
	"hash/maphash"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// TestShardAgainstMap adds and removes few keys in few slots, so that most of them share
// their first one.
func TestShardAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, s, held := maphash.MakeSeed(), shard{}, map[id]int64{}
		name := rapid.StringMatching(`[a-p]`)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			k := Key{Prefix: Entries, Name: name.Draw(t, "name")}.id()
			i, known := s.find(k.hash(seed), &k)
			switch {
			case known:
				s.remove(seed, i)
				delete(held, k)
			default:
				size := rapid.Int64Range(1, 100).Draw(t, "size")
				s.add(seed, slot{id: k, bytes: size})
				held[k] = size
			}
			checkShard(t, &s, seed, held)
		}
	})
}

// checkShard compares all slots of a shard with what it should hold.
func checkShard(t *rapid.T, s *shard, seed maphash.Seed, held map[id]int64) {
	inUse := 0
	for i := range s.slots {
		if s.slots[i].bytes > 0 {
			inUse++
		}
	}
	if inUse != len(held) || s.held != len(held) || 4*inUse > 3*len(s.slots) {
		t.Fatalf("%d of %d slots in use, counted %d, want %d", inUse, len(s.slots), s.held, len(held))
	}
	for k, size := range held {
		if i, ok := s.find(k.hash(seed), &k); !ok || s.slots[i].bytes != size {
			t.Fatalf("%q is not found with its value", k.name[:k.length])
		}
	}
}

// TestSlotFillsALine: a hit is to read one cache line.
func TestSlotFillsALine(t *testing.T) {
	if size := unsafe.Sizeof(slot{}); size != 64 {
		t.Errorf("a slot has %d bytes, want 64", size)
	}
}

func TestIDsDiffer(t *testing.T) {
	long := strings.Repeat("a", 33)
	digest := sha256.Sum256([]byte(long))
	keys := []Key{
		{Entries, ""}, {Tables, ""}, {Entries, "\x00"}, {Entries, "a"}, {Entries, "a\x00"},
		{Entries, long}, {Entries, long[:32]}, {Entries, long + "b"}, {Entries, long + "c"}, {Entries, string(digest[:])},
		{Entries, strings.Repeat("a", 256)}, {Entries, strings.Repeat("a", 256+33)},
	}
	known := map[id]string{}
	for _, k := range keys {
		text := fmt.Sprintf("%v of %d bytes", k, len(k.Name))
		if other, ok := known[k.id()]; ok {
			t.Errorf("%s and %s are one", text, other)
		}
		known[k.id()] = text
	}
}
