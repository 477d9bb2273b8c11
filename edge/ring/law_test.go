package ring

import (
	"math"
	"net/netip"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawServers draws a list of servers without repeats, IPv4 and IPv6, mapped
// ones among them.
func drawServers(t *rapid.T) []Server {
	servers := rapid.SliceOfNDistinct(rapid.Custom(drawServer), 1, 40, func(s Server) netip.AddrPort { return s.Addr }).Draw(t, "servers")
	return servers
}

func drawServer(t *rapid.T) Server {
	bytes := rapid.Uint32Range(0, 300).Draw(t, "address")
	ip := netip.AddrFrom4([4]byte{10, 0, byte(bytes >> 8), byte(bytes)})
	switch rapid.IntRange(0, 2).Draw(t, "form") {
	case 1:
		ip = netip.AddrFrom16(ip.As16()) // v4-mapped
	case 2:
		sixteen := ip.As16()
		sixteen[0], sixteen[1] = 0x20, 0x01
		ip = netip.AddrFrom16(sixteen)
	}
	port := rapid.Uint16Range(79, 82).Draw(t, "port")
	return Server{Addr: netip.AddrPortFrom(ip, port), Weight: rapid.IntRange(1, 5).Draw(t, "weight")}
}

func drawOptions(t *rapid.T) Options {
	return Options{
		Ties:  rapid.SampledFrom([]Ties{TiesAddress, TiesHashed}).Draw(t, "ties"),
		Names: rapid.SampledFrom([]Names{NamesAddress, NamesDirective}).Draw(t, "names"),
	}
}

func newRing(t rapid.TB, version Version, multiple int, servers []Server, opt Options) *Ring {
	t.Helper()
	r, err := New(Spec{version, multiple}, servers, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// hashesAround returns every point of a ring with its neighbours, and the ends
// of the hash space.
func hashesAround(r *Ring) []uint32 {
	hashes := []uint32{0, math.MaxUint32}
	r.Each(func(h uint32, _ int) bool {
		hashes = append(hashes, h-1, h, h+1)
		return true
	})
	return hashes
}

// TestV3AnswersAsV2 is the promise of v3: the same server for every hash.
func TestV3AnswersAsV2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers, opt := drawServers(t), drawOptions(t)
		multiple := rapid.IntRange(1, 200).Draw(t, "multiple")
		v2, v3 := newRing(t, V2, multiple, servers, opt), newRing(t, V3, multiple, servers, opt)
		checkSame(t, v2, v3)
	})
}

// checkSame fails unless two rings have the same points and give the same
// server to every hash that is a point, or one beside a point.
func checkSame(t rapid.TB, want, got *Ring) {
	t.Helper()
	checkSamePoints(t, want, got)
	checkSameAnswers(t, want, got)
}

func checkSamePoints(t rapid.TB, want, got *Ring) {
	t.Helper()
	if want.Points() != got.Points() {
		t.Fatalf("%s has %d points, %s has %d", want.Spec(), want.Points(), got.Spec(), got.Points())
	}
	hashes, servers := make([]uint32, 0, want.Points()), make([]int, 0, want.Points())
	want.Each(func(h uint32, s int) bool {
		hashes, servers = append(hashes, h), append(servers, s)
		return true
	})
	i := 0
	got.Each(func(h uint32, s int) bool {
		if hashes[i] != h || servers[i] != s {
			t.Fatalf("point %d of %s is %08x of %d, want %08x of %d", i, got.Spec(), h, s, hashes[i], servers[i])
		}
		i++
		return true
	})
	if i != want.Points() {
		t.Fatalf("%s gives %d of %d points", got.Spec(), i, want.Points())
	}
}

// checkSameAnswers looks up the ends of the hash space and the hashes around
// every point of a ring.
func checkSameAnswers(t rapid.TB, want, got *Ring) {
	t.Helper()
	check := func(h uint32) {
		if a, b := want.Lookup(h), got.Lookup(h); a != b {
			t.Fatalf("hash %08x: %s says %d, %s says %d", h, want.Spec(), a, got.Spec(), b)
		}
	}
	check(0)
	check(math.MaxUint32)
	want.Each(func(h uint32, _ int) bool {
		check(h - 1)
		check(h)
		check(h + 1)
		return true
	})
}

// TestLargeRings builds v2 and v3 of the same servers where words are 64 bits
// wide, buckets are crowded, partitions are large, or there is next to nothing,
// and asserts that every point and its owner are the same, and the answers
// around every point.
func TestLargeRings(t *testing.T) {
	for _, size := range []struct{ servers, weight, multiple int }{
		{5000, 1, 40}, {65536, 1, 2}, {2049, 3, 160}, {2, 9, 160_000}, {1, 1, 1}, {1, 1, 2}, {3, 1, 1},
	} {
		servers := manyServers(size.servers, size.weight)
		for _, ties := range []Ties{TiesAddress, TiesHashed} {
			opt := Options{Ties: ties}
			v2, v3 := newRing(t, V2, size.multiple, servers, opt), newRing(t, V3, size.multiple, servers, opt)
			if made := size.servers * size.weight * size.multiple; v3.Points()+v3.Collisions() != made {
				t.Errorf("%s has %d points and %d collisions, of %d that were made", v3.Spec(), v3.Points(), v3.Collisions(), made)
			}
			checkSame(t, v2, v3)
		}
	}
}

func manyServers(count, weight int) []Server {
	servers := make([]Server, count)
	for i := range servers {
		ip := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		servers[i] = Server{Addr: netip.AddrPortFrom(ip, 80), Weight: weight}
	}
	return servers
}

// TestV1IsV2At160 holds everywhere, as both use one tie rule here.
func TestV1IsV2At160(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers, opt := drawServers(t), drawOptions(t)
		checkSame(t, newRing(t, V2, DefaultMultiple, servers, opt), newRing(t, V1, DefaultMultiple, servers, opt))
	})
}

// TestSmallerMultipleIsASubset is why a step down in multiple moves only the
// keys whose points go.
func TestSmallerMultipleIsASubset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers := drawServers(t)
		large := rapid.IntRange(2, 200).Draw(t, "large")
		small := rapid.IntRange(1, large-1).Draw(t, "small")
		points := make(map[uint32]bool)
		newRing(t, V2, large, servers, Options{}).Each(func(h uint32, _ int) bool { points[h] = true; return true })
		newRing(t, V2, small, servers, Options{}).Each(func(h uint32, _ int) bool {
			if !points[h] {
				t.Fatalf("point %08x of multiple %d is not one of multiple %d", h, small, large)
			}
			return true
		})
	})
}

// TestInputOrderDoesNotMatter holds for names by address; with directives the
// order is the tie rule.
func TestInputOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers := drawServers(t)
		opt := Options{Ties: rapid.SampledFrom([]Ties{TiesAddress, TiesHashed}).Draw(t, "ties")}
		shuffled := rapid.Permutation(servers).Draw(t, "order")
		for _, version := range []Version{V1, V2, V3} {
			a, b := newRing(t, version, 160, servers, opt), newRing(t, version, 160, shuffled, opt)
			for _, h := range hashesAround(a) {
				if x, y := servers[a.Lookup(h)], shuffled[b.Lookup(h)]; x.Addr != y.Addr {
					t.Fatalf("%s: hash %08x goes to %s, in another order to %s", a.Spec(), h, x.Addr, y.Addr)
				}
			}
		}
	})
}

// TestRemovalMovesOnlyItsOwnKeys is what makes the hashing consistent.
func TestRemovalMovesOnlyItsOwnKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers := drawServers(t)
		if len(servers) < 2 {
			t.Skip("one server")
		}
		gone := rapid.IntRange(0, len(servers)-1).Draw(t, "gone")
		opt := drawOptions(t)
		before := newRing(t, V3, 40, servers, opt)
		rest := slices.Delete(slices.Clone(servers), gone, gone+1)
		after := newRing(t, V3, 40, rest, opt)
		for _, h := range hashesAround(before) {
			was, is := servers[before.Lookup(h)].Addr, rest[after.Lookup(h)].Addr
			if was != is && was != servers[gone].Addr {
				t.Fatalf("hash %08x moved from %s to %s when %s went", h, was, is, servers[gone].Addr)
			}
		}
	})
}

// TestWeightsAreRespected compares shares with weights within five standard
// deviations of what random points give.
func TestWeightsAreRespected(t *testing.T) {
	servers := manyServers(100, 1)
	total := 0
	for i := range servers {
		servers[i].Weight = 1 + i%10
		total += servers[i].Weight * 160
	}
	r := newRing(t, V3, 160, servers, Options{})
	owned := make([]float64, len(servers))
	last := uint32(0)
	r.Each(func(h uint32, s int) bool { owned[s] += float64(h - last); last = h; return true })
	for i, s := range servers {
		k, n := float64(s.Weight*160), float64(total)
		share, sigma := owned[i]/(1<<32), math.Sqrt(k*(n-k)/(n*n*(n+1)))
		if math.Abs(share-k/n) > 5*sigma {
			t.Errorf("server of weight %d has %.5f of the hashes, want %.5f ± %.5f", s.Weight, share, k/n, 5*sigma)
		}
	}
}
