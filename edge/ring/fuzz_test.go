package ring

import (
	"math"
	"slices"
	"sort"
	"testing"
)

// reference looks up by the definition: the least point at or after the hash.
func reference(points map[uint32]int, hashes []uint32, h uint32) int {
	i := sort.Search(len(hashes), func(i int) bool { return hashes[i] >= h })
	return points[hashes[i%len(hashes)]]
}

// plainPoints makes the points by the formula, one CRC after another.
func plainPoints(spec Spec, servers []Server, opt Options) (map[uint32]int, []uint32) {
	owner := make(map[uint32]int)
	ranks, _ := rank(servers, opt.Names)
	starts := make([]uint32, len(servers))
	for i, s := range servers {
		prefix := opt.Names.prefix(make([]byte, 0, 64), s.Addr)
		starts[i] = Hash(prefix)
		h := uint32(0)
		for range s.Weight * spec.Multiple {
			h = Hash(append(prefix, byte(h), byte(h>>8), byte(h>>16), byte(h>>24)))
			other, taken := owner[h]
			if !taken || wins(opt.Ties, h, i, other, ranks, starts) {
				owner[h] = i
			}
		}
	}
	hashes := make([]uint32, 0, len(owner))
	for h := range owner {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	return owner, hashes
}

func wins(ties Ties, h uint32, a, b int, ranks []int, starts []uint32) bool {
	if ties == TiesHashed {
		x, y := fmix64(uint64(starts[a])<<32|uint64(h)), fmix64(uint64(starts[b])<<32|uint64(h))
		if x != y {
			return x < y
		}
	}
	return ranks[a] < ranks[b]
}

// FuzzLookup compares all versions with the plain reference.
func FuzzLookup(f *testing.F) {
	f.Add(uint32(7), uint16(3), uint8(2), uint16(160), false, false)
	f.Add(uint32(1<<31), uint16(300), uint8(9), uint16(1), true, true)
	f.Add(uint32(math.MaxUint32), uint16(1), uint8(0), uint16(999), false, true)
	f.Fuzz(func(t *testing.T, hash uint32, count uint16, weight uint8, multiple uint16, hashed, directive bool) {
		servers := manyServers(1+int(count)%400, 1)
		for i := range servers {
			servers[i].Weight += i * int(weight) % 7
		}
		opt := Options{Ties: TiesAddress}
		if hashed {
			opt.Ties = TiesHashed
		}
		if directive {
			opt.Names = NamesDirective
			slices.Reverse(servers)
		}
		spec := Spec{V2, 1 + int(multiple)%200}
		points, hashes := plainPoints(spec, servers, opt)
		asked := []uint32{hash, 0, math.MaxUint32, hashes[int(hash)%len(hashes)], hashes[int(hash)%len(hashes)] + 1}
		for _, version := range []Version{V1, V2, V3} {
			multiple := spec.Multiple
			if version == V1 && multiple != DefaultMultiple {
				continue
			}
			r := newRing(t, version, multiple, servers, opt)
			for _, h := range asked {
				if got, want := r.Lookup(h), reference(points, hashes, h); got != want {
					t.Fatalf("%s: hash %08x goes to %d, want %d", r.Spec(), h, got, want)
				}
			}
		}
	})
}

func TestSharedPointsByTieRule(t *testing.T) {
	// 65,536 servers with 4 points each share some 8 points.
	servers := manyServers(65536, 1)
	for _, ties := range []Ties{TiesAddress, TiesHashed} {
		for _, names := range []Names{NamesAddress, NamesDirective} {
			opt := Options{Ties: ties, Names: names}
			mine := slices.Clone(servers)
			if names == NamesDirective {
				slices.Reverse(mine)
			}
			points, hashes := plainPoints(Spec{V2, 4}, mine, opt)
			r := newRing(t, V3, 4, mine, opt)
			if r.Collisions() < 2 || r.Points() != len(hashes) {
				t.Errorf("%d collisions, %d points; want a few, %d", r.Collisions(), r.Points(), len(hashes))
			}
			r.Each(func(h uint32, s int) bool {
				if points[h] != s {
					t.Errorf("ties %s, names %s: point %08x belongs to %d, want %d", ties, names, h, s, points[h])
				}
				return true
			})
		}
	}
}
