package ring

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
)

// benchServers returns 1,000 servers whose weights 1 to 10 make 550 and, with
// the multiple of 160, 88,000 points, or ten times as many.
func benchServers(scale int) []Server {
	servers := make([]Server, 1000)
	for i := range servers {
		addr := netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})
		servers[i] = Server{Addr: netip.AddrPortFrom(addr, 80), Weight: 1 + i%10}
	}
	return servers
}

func benchHashes(seed uint64) []uint32 {
	random := rand.New(rand.NewPCG(seed, 0))
	hashes := make([]uint32, 1<<16)
	for i := range hashes {
		hashes[i] = random.Uint32()
	}
	return hashes
}

func BenchmarkLookup(b *testing.B) {
	hashes := benchHashes(1)
	for _, multiple := range []int{16, 160, 3200} {
		servers := benchServers(1)
		for _, version := range []Version{V1, V2, V3} {
			if version == V1 && multiple != 160 {
				continue
			}
			r, err := New(Spec{version, multiple}, servers, Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("ring=%s/points=%d", r.Spec(), r.Points()), func(b *testing.B) {
				i, sum := 0, 0
				for b.Loop() {
					sum += r.Lookup(hashes[i&0xffff])
					i++
				}
				b.ReportMetric(float64(r.Bytes())/float64(r.Points()), "bytes/point")
			})
		}
	}
}

type benchPoint struct {
	hash   uint32
	server uint16
}

func BenchmarkBuild(b *testing.B) {
	servers := benchServers(1)
	var points []benchPoint
	src, _ := newSource(Spec{V2, 160}, servers, NamesAddress, DefaultMaxPoints)
	var c chains
	c.each(src, func(rank int, hashes []uint32) {
		for _, h := range hashes {
			points = append(points, benchPoint{h, uint16(rank)})
		}
	})
	b.Run("chains", func(b *testing.B) {
		for b.Loop() {
			c.each(src, func(rank int, hashes []uint32) {})
		}
	})
	b.Run("SortFunc", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			p := slices.Clone(points)
			b.StartTimer()
			slices.SortFunc(p, func(a, b benchPoint) int {
				if a.hash < b.hash {
					return -1
				}
				if a.hash > b.hash {
					return 1
				}
				return int(a.server) - int(b.server)
			})
		}
	})
	for _, v := range []Version{V1, V2, V3} {
		b.Run(fmt.Sprintf("v%d", v), func(b *testing.B) {
			var bu Builder
			for b.Loop() {
				bu.Build(Spec{v, 160}, servers, Options{})
			}
		})
	}
	ws := partitions[uint32]{}
	ws.split = newSplit(src)
	b.Run("fill", func(b *testing.B) {
		for b.Loop() {
			ws.fill(src)
		}
	})
	b.Run("fill+sort", func(b *testing.B) {
		for b.Loop() {
			ws.fill(src)
			ws.each(tieRule{source: src}, func(uint32, []uint32) {})
		}
	})
}
