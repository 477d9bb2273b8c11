package edge

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"switchback/origin"
)

// discard is a ResponseWriter that keeps nothing.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// BenchmarkCachedAsset is the edge's own work for a cached asset, without
// the HTTP server around it.
func BenchmarkCachedAsset(b *testing.B) {
	w := newWorld(b, smallSettings(), origin.Options{})
	for _, options := range []Options{{Router: "hashed", Ring: "v2:16"}, {Router: "filtered", Ring: "v2:16"}, {Router: "legacy", TableLife: "resident", Ring: "v1"}} {
		b.Run(options.Router+"/"+options.Ring, func(b *testing.B) {
			e := w.edge(options)
			want := w.first(false)
			check(b, e, want)
			r := httptest.NewRequest("GET", want.path, nil)
			r.Host = want.host
			b.ReportAllocs()
			for b.Loop() {
				e.ServeHTTP(&discard{header: http.Header{}}, r)
			}
		})
	}
}

// What the edge itself allocates for a cached asset: the request, the header
// map of the test with its values, the Server-Timing text. More would mean
// that something on the hot path began to allocate.
func TestCachedAssetAllocations(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Router: "hashed", Ring: "v2:16"})
	want := w.first(false)
	check(t, e, want)
	r := httptest.NewRequest("GET", want.path, nil)
	r.Host = want.host
	const most = 12
	if n := testing.AllocsPerRun(200, func() { e.ServeHTTP(&discard{header: http.Header{}}, r) }); n > most {
		t.Errorf("%v allocations, at most %d", n, most)
	}
}
