package load_test

import (
	"net/http"
	"testing"

	"switchback/harness/load"
	"switchback/targets"
)

// cacheHeader is what a server says about its cache, and what becomes of it.
type cacheHeader struct {
	name   string
	fields [][2]string
	want   string
}

func cacheHeaders() []cacheHeader {
	return []cacheHeader{
		{"no cache", nil, ""},
		{"a phase alone", [][2]string{{"Server-Timing", "route;dur=1"}}, "route;dur=1"},
		{"X-Cache", [][2]string{{"X-Cache", "HIT"}}, "cache;desc=hit"},
		{"X-Cache with a name", [][2]string{{"x-cache", "Miss from cloudfront"}}, "cache;desc=miss"},
		{"X-Cache of two caches", [][2]string{{"X-Cache", "MISS, HIT"}}, "cache;desc=hit"},
		{"nginx", [][2]string{{"X-Cache-Status", "EXPIRED"}}, "cache;desc=expired"},
		{"behind a phase", [][2]string{{"X-Cache", "hit"}, {"Server-Timing", "route;dur=1"}}, "route;dur=1, cache;desc=hit"},
		{"Server-Timing has it", [][2]string{{"X-Cache", "hit"}, {"Server-Timing", "cache;desc=miss, route;dur=1"}}, "cache;desc=miss, route;dur=1"},
		{"RFC 9211, a hit", [][2]string{{"Cache-Status", "Edge; hit; ttl=30"}}, "cache;desc=hit"},
		{"RFC 9211, a miss", [][2]string{{"Cache-Status", "Edge; fwd=uri-miss; stored"}}, "cache;desc=miss"},
		{"RFC 9211, stale", [][2]string{{"Cache-Status", "Edge; fwd=stale; fwd-status=304"}}, "cache;desc=stale"},
		{"RFC 9211, collapsed", [][2]string{{"Cache-Status", "Edge; fwd=miss; collapsed"}}, "cache;desc=collapsed"},
		{"RFC 9211, no hit", [][2]string{{"Cache-Status", "Edge; hit=?0; collapsed=?0; fwd=bypass"}}, "cache;desc=bypass"},
		{"the nearest cache counts", [][2]string{{"Cache-Status", `Origin; fwd=miss, "a, \"b; hit"; detail="x, y"; fwd=bypass`}}, "cache;desc=bypass"},
		{"the last field counts", [][2]string{{"Cache-Status", "Origin; hit"}, {"Cache-Status", "Edge; fwd=vary-miss"}}, "cache;desc=miss"},
		{"the standard outweighs", [][2]string{{"Cache-Status", "Edge; hit"}, {"X-Cache-Status", "MISS"}, {"X-Cache", "MISS"}}, "cache;desc=hit"},
		{"no state", [][2]string{{"X-Cache", ""}, {"Cache-Status", "Edge"}, {"X-Cache-Status", `"?"`}}, ""},
		{"a long word", [][2]string{{"X-Cache", "a-state-of-more-than-24-bytes"}}, ""},
	}
}

// TestTheHeaderTellsTheCacheState asks both engines for what a server says about
// its cache: the group cache= of a request is made of its Server-Timing.
func TestTheHeaderTellsTheCacheState(t *testing.T) {
	for _, c := range cacheHeaders() {
		serve := func(w http.ResponseWriter, r *http.Request) {
			for _, field := range c.fields {
				w.Header().Add(field[0], field[1])
			}
		}
		for _, kind := range kinds {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				samples, _ := run(t, open(t, kind, serve, load.Options{}), targets.Target{Host: "a.example", Path: "/", Bytes: -1})
				if got := string(samples[0].ServerTiming); got != c.want {
					t.Errorf("Server-Timing %q, want %q", got, c.want)
				}
			})
		}
	}
}
