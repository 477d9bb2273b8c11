package publish

import (
	"errors"
	"io"
	"testing"

	"switchback/datasets"
	"switchback/edge/kv"
	"switchback/edge/routing"
)

// BenchmarkRoute asks routers over one project of 10,000 deployments of 1,000
// bytes. The hashed hit has its entry in the LRU; the others, as named.
func BenchmarkRoute(b *testing.B) {
	stream := generate(b, 1, datasets.Settings{Sizes: []int{10_000}})
	hosts := aliases(b, stream)
	middle, last := hosts[len(hosts)/2], hosts[len(hosts)-1]
	unknown := "unknown" + hosts[0]
	store := publishAll(b, stream, b.TempDir(), kv.Options{LRUBytes: 256 << 20})
	b.Cleanup(func() { store.Close() })
	for _, router := range []string{"hashed", "filtered", "legacy/request", "legacy/lru", "legacy/resident"} {
		for _, c := range []struct{ name, host string }{
			{"first", hosts[0]}, {"middle", middle}, {"last", last}, {"unknown", unknown},
		} {
			b.Run(router+"/"+c.name, func(b *testing.B) { benchmarkHost(b, allRouters(b, store)[router], c.host) })
		}
	}
}

// benchmarkHost asks for one host, and reports the parts of a legacy route.
func benchmarkHost(b *testing.B, router routing.Router, host string) {
	var decode, match float64
	b.ReportAllocs()
	for b.Loop() {
		answer, err := router.Route(b.Context(), host)
		if err != nil && !errors.Is(err, routing.ErrUnknownHost) {
			b.Fatal(err)
		}
		decode += float64(answer.Decode)
		match += float64(answer.Match)
	}
	if decode > 0 {
		b.ReportMetric(decode/float64(b.N), "decode-ns/op")
		b.ReportMetric(match/float64(b.N), "match-ns/op")
	}
}

// aliases returns the hash alias of every deployment, oldest first.
func aliases(t testing.TB, stream []byte) []string {
	t.Helper()
	r := read(t, stream)
	defer r.Close()
	var hosts []string
	for {
		p, d, err := r.Next()
		if errors.Is(err, io.EOF) {
			return hosts
		}
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, p.Hostnames(d)[0])
	}
}
