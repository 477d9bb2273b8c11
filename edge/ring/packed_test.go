package ring

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// packHashes packs points on chosen hashes, in order and without repeats, in a
// layout for at least a point a server.
func packHashes(hashes []uint32, servers int, owner func(i int) int) *packed {
	radix := uint64(max(servers, 2))
	p := emptyPacked(max(len(hashes), servers), radix)
	pack := newPacker[uint64](p)
	words := make([]uint64, len(hashes))
	for i, h := range hashes {
		words[i] = uint64(h)*radix + uint64(owner(i))
	}
	if !pack.add(0, math.MaxUint32, words, tieRule{}) {
		pack.addSorted(0, words)
	}
	pack.finish()
	return p
}

// TestPackedAtTheEndsOfBuckets has the least and the greatest record that each
// bucket can hold, as far from zero as the reciprocal errs.
func TestPackedAtTheEndsOfBuckets(t *testing.T) {
	const servers = MaxServers - 1 // with a power of two, the reciprocal is exact
	shape := emptyPacked(servers, servers).shape
	var hashes []uint32
	for bucket := range shape.buckets() - 1 {
		hashes = append(hashes, uint32(bucket*shape.span), uint32((bucket+1)*shape.span-1))
	}
	owner := func(i int) int { return i % 2 * (servers - 1) }
	p := packHashes(hashes, servers, owner)
	if p.shape != shape {
		t.Fatalf("%d points have the shape %+v, want %+v", len(hashes), p.shape, shape)
	}
	for i, h := range hashes {
		if at, server := p.find(h), p.lookup(h); at != i || server != owner(i) {
			t.Fatalf("hash %08x is at %d and goes to %d, want %d and %d", h, at, server, i, owner(i))
		}
	}
}

// TestPackedHoldsAnyPoints draws points that no CRC would make: runs of
// neighbours, which crowd buckets, far from one another.
func TestPackedHoldsAnyPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var hashes []uint32
		for range rapid.IntRange(1, 5).Draw(t, "clusters") {
			start, step := rapid.Uint32().Draw(t, "start"), rapid.Uint32Range(1, 1000).Draw(t, "step")
			for i := range rapid.Uint32Range(1, 300).Draw(t, "points") {
				hashes = append(hashes, start+i*step)
			}
		}
		slices.Sort(hashes)
		hashes = slices.Compact(hashes)
		servers := rapid.IntRange(1, MaxServers).Draw(t, "servers")
		p := packHashes(hashes, servers, func(i int) int { return i % servers })
		for i, h := range hashes {
			for _, near := range []uint32{h - 1, h, h + 1} {
				want := lowerBound(hashes, near) % len(hashes)
				if got := p.find(near); got != want {
					t.Fatalf("hash %08x is at %d, want %d", near, got, want)
				}
				if got := p.lookup(near); got != want%servers {
					t.Fatalf("hash %08x goes to %d, want %d", near, got, want%servers)
				}
			}
			if got := p.server(i); got != i%servers {
				t.Fatalf("point %d belongs to %d, want %d", i, got, i%servers)
			}
		}
	})
}

func TestReciprocalDivides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Uint64Range(2, 1<<16).Draw(t, "divisor")
		x := rapid.Uint64Range(0, 1<<48-1).Draw(t, "dividend")
		for _, x := range []uint64{x, x / d * d, x/d*d + d - 1, 1<<48 - 1} {
			if got := divide(x, reciprocal(d)); got != x/d && x < 1<<48 {
				t.Fatalf("%d / %d is %d, want %d", x, d, got, x/d)
			}
		}
		wide := rapid.Uint64Range(2, 1<<32).Draw(t, "wide divisor")
		if h := uint64(rapid.Uint32().Draw(t, "hash")); divide(h, reciprocal(wide)) != h/wide {
			t.Fatalf("%d / %d is %d, want %d", h, wide, divide(h, reciprocal(wide)), h/wide)
		}
	})
}

func TestSorterSorts(t *testing.T) {
	var s sorter[uint32]
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 32).Draw(t, "bits")
		words := rapid.SliceOfN(rapid.Uint32Range(0, uint32(uint64(1)<<width-1)), 0, 600).Draw(t, "words")
		if rapid.Bool().Draw(t, "few values") {
			for i := range words {
				words[i] &= 0x80000003 >> (32 - width)
			}
		}
		near := rapid.Uint32Range(1, 100).Draw(t, "near")
		want := slices.Clone(words)
		slices.Sort(want)
		hasNear := false
		for i := 1; i < len(want); i++ {
			hasNear = hasNear || want[i]-want[i-1] < near
		}
		found := s.sort(words, slices.Clone(words), width, near)
		if !slices.Equal(words, want) {
			t.Fatalf("sorted to %v, want %v", words, want)
		}
		if hasNear && !found {
			t.Fatalf("two of %v differ by less than %d, not found", want, near)
		}
	})
}

// TestSorterGivesUpOnForgedOrder has words that share their top bits in
// descending order, the worst for an insertion sort.
func TestSorterGivesUpOnForgedOrder(t *testing.T) {
	words := make([]uint32, 50_000)
	for i := range words {
		words[i] = uint32(len(words) - i)
	}
	moves := slices.Clone(words)
	insertionSort(moves, 1)
	var s sorter[uint32]
	s.sort(words, slices.Clone(words), 32, 1)
	for i := range words {
		if words[i] != uint32(i+1) || moves[i] != uint32(i+1) {
			t.Fatalf("word %d is %d", i, words[i])
		}
	}
}

// TestSizes pins what v3 is for: its bytes a point, everything included.
func TestSizes(t *testing.T) {
	servers := manyServers(1000, 1)
	for i := range servers {
		servers[i].Weight = 1 + i%10
	}
	for _, tt := range []struct {
		version  Version
		multiple int
		most     float64 // bytes a point
	}{{V1, 160, 8.01}, {V2, 16, 6.35}, {V2, 160, 6.35}, {V3, 160, 3.25}} {
		r := newRing(t, tt.version, tt.multiple, servers, Options{})
		if got := float64(r.Bytes()) / float64(r.Points()); got > tt.most {
			t.Errorf("%s takes %.3f bytes a point, at most %.2f", r.Spec(), got, tt.most)
		}
	}
	for _, multiple := range []int{16, 40, 160, 320, 640} {
		for _, count := range []int{520, 777, 1000} {
			for version := V1; version <= V3; version++ {
				if version == V1 && multiple != DefaultMultiple {
					continue
				}
				r := newRing(t, version, multiple, servers[:count], Options{})
				expected := Size(version, r.Points(), count)
				if ratio := float64(r.Bytes()) / float64(expected); ratio < 0.999 || ratio > 1.001 {
					t.Errorf("%s takes %d bytes, Size expects %d", r.Spec(), r.Bytes(), expected)
				}
			}
		}
	}
}

// TestV3IsNearTheFloor asks Size, which TestSizes compares with rings, for
// numbers of servers, powers of two and others.
func TestV3IsNearTheFloor(t *testing.T) {
	for _, servers := range []int{520, 1000, 1025, 2048, 3000, 10_000, 33_000, 65_536} {
		for points := 88_000; points <= DefaultMaxPoints; points = points * 5 / 4 {
			ratio := float64(Size(V3, points, servers)) / float64(points) / Floor(points, servers)
			if ratio > 1.12 {
				t.Errorf("%d points of %d servers: %.4f × the floor, want 1.12 at most", points, servers, ratio)
			}
		}
	}
}
