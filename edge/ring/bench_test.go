package ring

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// benchServers returns servers with the weights 1 to 10 in turn: 100 make
// 88,000 points at the multiple of 160, 1,000 make 880,000.
func benchServers(count int) []Server {
	servers := manyServers(count, 1)
	for i := range servers {
		servers[i].Weight = 1 + i%10
	}
	return servers
}

// eachBenchRing runs a benchmark for every version and size.
func eachBenchRing(b *testing.B, run func(b *testing.B, spec Spec, servers []Server)) {
	for _, count := range []int{100, 1000} {
		for _, version := range []Version{V1, V2, V3} {
			spec := Spec{version, DefaultMultiple}
			b.Run(fmt.Sprintf("ring=%s/points=%d", spec, count*880), func(b *testing.B) { run(b, spec, benchServers(count)) })
		}
	}
}

func BenchmarkLookupHash(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 0))
	hashes := make([]uint32, 1<<16)
	for i := range hashes {
		hashes[i] = random.Uint32()
	}
	eachBenchRing(b, func(b *testing.B, spec Spec, servers []Server) {
		r := newRing(b, spec.Version, spec.Multiple, servers, Options{})
		for i := 0; b.Loop(); i++ {
			r.Lookup(hashes[i%len(hashes)])
		}
		b.ReportMetric(float64(r.Bytes())/float64(r.Points()), "bytes/point")
	})
}

func BenchmarkPickKeyOf40Bytes(b *testing.B) {
	keys := make([][]byte, 1<<14)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "/static/f6466d5fdae85d09/%010d.js", i*2654435761%10_000_000_000)[:38]
		keys[i] = append(keys[i], "?v"...)
	}
	eachBenchRing(b, func(b *testing.B, spec Spec, servers []Server) {
		r := newRing(b, spec.Version, spec.Multiple, servers, Options{})
		for i := 0; b.Loop(); i++ {
			r.Pick(keys[i%len(keys)])
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	eachBenchRing(b, func(b *testing.B, spec Spec, servers []Server) {
		var builder Builder
		for b.Loop() {
			if _, err := builder.Build(spec, servers, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSortFunc is what a build is compared with.
func BenchmarkSortFunc(b *testing.B) {
	type point struct {
		hash   uint32
		server int
	}
	for _, count := range []int{100, 1000} {
		b.Run(fmt.Sprintf("points=%d", count*880), func(b *testing.B) {
			src, err := newSource(Spec{V2, DefaultMultiple}, benchServers(count), NamesAddress, DefaultMaxPoints)
			if err != nil {
				b.Fatal(err)
			}
			var points []point
			var c chains
			c.each(src, func(server int, hashes []uint32) {
				for _, h := range hashes {
					points = append(points, point{h, server})
				}
			})
			scratch := make([]point, len(points))
			for b.Loop() {
				copy(scratch, points)
				slices.SortFunc(scratch, func(a, b point) int { return cmp.Compare(a.hash, b.hash) })
			}
		})
	}
}
