package edge

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"switchback/datasets"
	"switchback/origin"
)

func smallSettings() datasets.Settings { return datasets.Settings{Sizes: []int{30, 5}, Tail: 10} }

// Every hostname of a dataset gets the body of its own deployment, whatever
// router and ring serve it.
func TestEveryHostnameGetsItsOwnBody(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	for _, options := range []Options{
		{Router: "legacy", Ring: "v1"},
		{Router: "legacy", TableLife: "lru", Ring: "v1", Shadow: "filtered"},
		{Router: "legacy", TableLife: "resident", Ring: "v1", Shadow: "hashed"},
		{Router: "filtered", Ring: "v2:16", Nodes: 5, NodeListeners: true, Shadow: "legacy"},
		{Router: "hashed", Ring: "v2:16", Nodes: 3},
		{Router: "hashed", Ring: "v3:16", Nodes: 12, RingSets: 5},
		{Router: "hashed", Ring: "v2:160", Ties: "hashed", Nodes: 20, Weights: "1-10"},
	} {
		t.Run(options.Router+" "+options.TableLife+" "+options.Ring, func(t *testing.T) {
			e := w.edge(options)
			for _, want := range w.targets {
				check(t, e, want)
			}
			s := e.Stats()
			if s.Requests != int64(len(w.targets)) || s.Status["200"] != s.Requests || s.Router[options.Router].Requests != s.Requests {
				t.Errorf("%d requests made; stats %+v", len(w.targets), s)
			}
			if s.Cache.Hits == 0 || s.Cache.Misses == 0 || s.Ring[options.Ring].Requests != s.Cache.Hits+s.Cache.Misses {
				t.Errorf("cache %+v, ring %+v", s.Cache, s.Ring)
			}
			if options.Shadow != "" && (s.Shadow.Requests != s.Requests || len(s.Shadow.Disagreements) != 0) {
				t.Errorf("shadow %+v", s.Shadow)
			}
		})
	}
}

func TestUnknownNeverReachesTheOrigin(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{})
	known := w.first(false).host
	before := w.origin.Stats().Requests
	for _, host := range []string{"unknown.pages.dev", "x." + known, "", "[::1]", strings.Repeat("a", 300) + ".pages.dev", "no such host"} {
		if got := get(e, "GET", host, "/"); got.Code != http.StatusNotFound {
			t.Errorf("host %q: status %d, want 404", host, got.Code)
		}
	}
	if got := get(e, "GET", known, "/no/such/asset"); got.Code != http.StatusNotFound {
		t.Errorf("unknown path: status %d, want 404", got.Code)
	}
	if after := w.origin.Stats().Requests; after != before {
		t.Errorf("the origin got %d requests", after-before)
	}
}

func TestServerTiming(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Router: "legacy", Ring: "v2:16", Nodes: 1})
	want := w.first(false)
	miss := check(t, e, want).Header().Get("Server-Timing")
	hit := check(t, e, want).Header().Get("Server-Timing")
	for _, part := range []string{"route;dur=", ";desc=legacy", "decode;dur=", "match;dur=", "ring;dur=", `;desc="v2:16"`, "node;desc=n1", "cache;desc=miss", "origin;dur=", "flags;desc=1"} {
		if !strings.Contains(miss, part) {
			t.Errorf("%q lacks %q", miss, part)
		}
	}
	if !strings.Contains(hit, "cache;desc=hit") || strings.Contains(hit, "origin") {
		t.Errorf("hit: %q", hit)
	}
	if f := check(t, e, w.first(true)).Header().Get("Server-Timing"); !strings.Contains(f, "cache;desc=bypass") || strings.Contains(f, "ring") {
		t.Errorf("function: %q", f)
	}
	if u := get(e, "GET", "unknown.pages.dev", "/").Header().Get("Server-Timing"); !strings.Contains(u, "desc=legacy") || strings.Contains(u, "cache") {
		t.Errorf("unknown: %q", u)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "x;dur=0.000000", 1: "x;dur=0.000001", 1_500_000: "x;dur=1.500000", time.Second + 7: "x;dur=1000.000007",
	} {
		if got := string(duration(nil, "x", d)); got != want {
			t.Errorf("%d ns: %q, want %q", d, got, want)
		}
	}
}

func TestConditionalRangeAndHead(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{})
	want := w.first(false)
	whole := check(t, e, want)
	etag := whole.Header().Get("ETag")
	if etag == "" || !strings.Contains(whole.Header().Get("Cache-Control"), "max-age") {
		t.Fatalf("headers %v lack ETag or Cache-Control", whole.Header())
	}
	if got := get(e, "GET", want.host, want.path, "If-None-Match", etag); got.Code != http.StatusNotModified || got.Body.Len() != 0 {
		t.Errorf("If-None-Match: status %d with %d bytes", got.Code, got.Body.Len())
	}
	if got := get(e, "GET", want.host, want.path, "Range", "bytes=3-9"); got.Code != http.StatusPartialContent || got.Body.String() != want.body[3:10] {
		t.Errorf("range: status %d, body %q", got.Code, got.Body)
	}
	if got := get(e, "HEAD", want.host, want.path); got.Code != http.StatusOK || got.Body.Len() != 0 || got.Header().Get("Content-Length") == "0" {
		t.Errorf("HEAD: status %d, %d bytes, %v", got.Code, got.Body.Len(), got.Header())
	}
	if got := get(e, "POST", want.host, want.path); got.Code != http.StatusMethodNotAllowed || got.Header().Get("Allow") == "" {
		t.Errorf("POST of an asset: status %d, %v", got.Code, got.Header())
	}
	function := w.first(true)
	if got := get(e, "POST", function.host, function.path); got.Code != http.StatusOK || got.Body.String() != function.body || got.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("POST to a function: status %d, %v", got.Code, got.Header())
	}
	if s := e.Stats().Status; s["304"] != 1 || s["206"] != 1 || s["405"] != 1 {
		t.Errorf("statuses counted: %v", s)
	}
}

func TestTheOriginIsToldHowARequestCame(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Router: "legacy", Ring: "v2:16", Nodes: 1, Colo: "fra"})
	asset := w.first(false)
	check(t, e, asset)
	check(t, e, asset)
	check(t, e, w.first(true))
	s := w.origin.Stats()
	if s.Requests != 2 || s.Router["legacy"].Requests != 2 || s.Colo["fra"].Requests != 2 || s.Ring["v2:16"].Requests != 1 || s.Node["n1"].Requests != 1 || s.Hostname[asset.host].Requests == 0 {
		t.Errorf("origin counted %+v", s)
	}
}

func TestOriginFaultsAreNotCached(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{Errors: 1})
	e := w.edge(Options{})
	want := w.first(false)
	for range 2 {
		if got := get(e, "GET", want.host, want.path); got.Code != http.StatusBadGateway {
			t.Errorf("status %d, want 502", got.Code)
		}
	}
	if s := e.Stats(); s.Cache.Misses != 2 || s.Origin.Errors != 2 || s.Cache.Objects != 0 {
		t.Errorf("cache %+v, origin %+v", s.Cache, s.Origin)
	}
}

func TestOriginTimeOut(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{Delay: origin.Delay{Median: time.Minute}})
	e := w.edge(Options{OriginTimeout: 20 * time.Millisecond})
	want := w.first(false)
	if got := get(e, "GET", want.host, want.path); got.Code != http.StatusGatewayTimeout {
		t.Errorf("status %d, want 504", got.Code)
	}
}

func TestNodesDownAreWalkedPastAndComeBack(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Ring: "v2:16", Nodes: 4})
	want := w.first(false)
	nodeOf := func() string {
		_, rest, _ := strings.Cut(check(t, e, want).Header().Get("Server-Timing"), "node;desc=")
		name, _, _ := strings.Cut(rest, ",")
		return name
	}
	admin := adminOf(t, e)
	home := nodeOf()
	if err := admin.SetNode(t.Context(), home, false); err != nil {
		t.Fatal(err)
	}
	if away := nodeOf(); away == home || e.Stats().Nodes[home].Up {
		t.Errorf("%s still serves while it is down", home)
	}
	for name := range e.Stats().Nodes {
		if err := admin.SetNode(t.Context(), name, false); err != nil {
			t.Fatal(err)
		}
	}
	if got := get(e, "GET", want.host, want.path); got.Code != http.StatusServiceUnavailable {
		t.Errorf("with every node down: status %d, want 503", got.Code)
	}
	if err := admin.SetNode(t.Context(), home, true); err != nil {
		t.Fatal(err)
	}
	if back := nodeOf(); back != home {
		t.Errorf("served by %s, want %s, which is up again", back, home)
	}
}

func TestImpossibleOptions(t *testing.T) {
	w := newWorld(t, datasets.Settings{Sizes: []int{1}}, origin.Options{})
	good := Options{Store: w.stores, Secret: []byte("s"), Origin: w.server.URL}
	for want, change := range map[string]func(*Options){
		"--store, is not given":       func(o *Options) { o.Store = "" },
		"--secret-file, is not given": func(o *Options) { o.Secret = nil },
		"expected http":               func(o *Options) { o.Origin = "127.0.0.1:80" },
		`unknown router "fast"`:       func(o *Options) { o.Router = "hashed+fast" },
		`shadow: unknown router`:      func(o *Options) { o.Shadow = "fast" },
		`table life "day"`:            func(o *Options) { o.TableLife = "day" },
		"v9":                          func(o *Options) { o.Ring = "v1+v9" },
		"multiple":                    func(o *Options) { o.Ring = "v1:16" },
		`tie rule "coin"`:             func(o *Options) { o.Ties = "coin" },
		`"dice"`:                      func(o *Options) { o.Names = "dice" },
		"weights":                     func(o *Options) { o.Weights = "5-1" },
		"70000 servers":               func(o *Options) { o.Nodes = 70000 },
		"no such file":                func(o *Options) { o.Store += "-not" },
		"cache is -1":                 func(o *Options) { o.CacheBytes = -1 },
		"neighbours":                  func(o *Options) { o.Neighbours = math.NaN() },
		`colo "A b"`:                  func(o *Options) { o.Colo = "A b" },
		`colo ""`:                     func(o *Options) { o.Colos = []string{""} },
		"ring sets":                   func(o *Options) { o.RingSets = 9 },
	} {
		options := good
		change(&options)
		e, err := New(options)
		if err == nil {
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

var _ http.Handler = (*Edge)(nil)
