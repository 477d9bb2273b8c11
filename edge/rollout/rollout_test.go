package rollout

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func part(share float64) Part { return Part{Old: "legacy", New: "hashed", Share: share} }

func TestPrecedence(t *testing.T) {
	rows := []struct {
		name string
		part Part
		colo string
		site string
		want string
	}{
		{"share 0", part(0), "ams", "a", "legacy"},
		{"share 1", part(1), "ams", "a", "hashed"},
		{"share 1 in its colo", Part{Old: "legacy", New: "hashed", Share: 1, Colos: []string{"ams", "fra"}}, "fra", "a", "hashed"},
		{"share 1 elsewhere", Part{Old: "legacy", New: "hashed", Share: 1, Colos: []string{"ams"}}, "lhr", "a", "legacy"},
		{"override to new beats share", Part{Old: "legacy", New: "hashed", Sites: map[string]string{"a": "new"}}, "ams", "a", "hashed"},
		{"override to new beats place", Part{Old: "legacy", New: "hashed", Colos: []string{"fra"}, Sites: map[string]string{"a": "new"}}, "ams", "a", "hashed"},
		{"override to old beats share", Part{Old: "legacy", New: "hashed", Share: 1, Sites: map[string]string{"a": "old"}}, "ams", "a", "legacy"},
		{"override of another site", Part{Old: "legacy", New: "hashed", Sites: map[string]string{"b": "new"}}, "ams", "a", "legacy"},
		{"opt-out beats share", Part{Old: "legacy", New: "hashed", Share: 1, OptOut: []string{"a"}}, "ams", "a", "legacy"},
		{"opt-out beats override", Part{Old: "legacy", New: "hashed", Sites: map[string]string{"a": "new"}, OptOut: []string{"a"}}, "ams", "a", "legacy"},
		{"off beats everything", Part{Old: "legacy", New: "hashed", Share: 1, Sites: map[string]string{"a": "new"}, Off: true}, "ams", "a", "legacy"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if got := row.part.Switch(ForRouter, row.colo).Choose(row.site, row.site, 0); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

// Raising a share never moves a key back, whatever else the flags say.
func TestRaisingAShareNeverMovesAKeyBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(0, 1).Draw(t, "low")
		high := rapid.Float64Range(low, 1).Draw(t, "high")
		p := drawPart(t)
		key, site := rapid.String().Draw(t, "key"), rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "site")
		draw := rapid.Uint64().Draw(t, "draw")
		colo := rapid.SampledFrom([]string{"ams", "fra"}).Draw(t, "colo")
		for _, purpose := range []Purpose{ForRouter, ForRing} {
			p.Share = low
			before := p.Switch(purpose, colo).Choose(site, key, draw)
			p.Share = high
			after := p.Switch(purpose, colo).Choose(site, key, draw)
			if before == "v2:16" && after == "v1" {
				t.Fatalf("key %q moved back between %v and %v of %+v", key, low, high, p)
			}
		}
	})
}

func drawPart(t *rapid.T) Part {
	sites := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.ID[string])
	p := Part{Old: "v1", New: "v2:16", Off: rapid.IntRange(0, 9).Draw(t, "off") == 0, OptOut: sites.Draw(t, "out")}
	p.Colos = rapid.SliceOfDistinct(rapid.SampledFrom([]string{"ams", "fra"}), rapid.ID[string]).Draw(t, "colos")
	p.By = rapid.SampledFrom([]string{"", ByKey, ByRequest}).Draw(t, "by")
	p.Sites = map[string]string{}
	for _, site := range sites.Draw(t, "sites") {
		p.Sites[site] = rapid.SampledFrom([]string{SideOld, SideNew}).Draw(t, "side")
	}
	return p
}

// The part of the keys on the new version is the share, within 5 standard
// errors, for keys that differ only in their last digits too.
func TestShareIsKept(t *testing.T) {
	const n = 20_000
	for _, share := range []float64{0.01, 0.25, 0.5, 0.9} {
		for _, by := range []string{ByKey, ByRequest} {
			p := part(share)
			p.By = by
			s := p.Switch(ForRing, "ams")
			moved := 0.0
			for i := range n {
				if s.Choose("site", fmt.Sprint("k", i), uint64(i)) == "hashed" {
					moved++
				}
			}
			if bound := 5 * math.Sqrt(n*share*(1-share)); math.Abs(moved-n*share) > bound {
				t.Errorf("share %v by %s: %v of %d moved, want %v ± %v", share, by, moved, n, n*share, bound)
			}
		}
	}
}

// A router's rollout and a ring's choose independently: of the keys on one
// side of the first, the second takes its share.
func TestPurposesAreIndependent(t *testing.T) {
	const n, share = 20_000, 0.5
	router, ring := part(share).Switch(ForRouter, "ams"), part(share).Switch(ForRing, "ams")
	both := 0.0
	for i := range n {
		key := fmt.Sprint("k", i)
		if router.Choose(key, key, 0) == "hashed" && ring.Choose(key, key, 0) == "hashed" {
			both++
		}
	}
	if bound := 5 * math.Sqrt(n*0.25*0.75); math.Abs(both-n*0.25) > bound {
		t.Errorf("%v of %d keys on both, want %v ± %v", both, n, n*0.25, bound)
	}
}

func TestCheckNamesEveryReason(t *testing.T) {
	known := Known{
		Routers: []string{"hashed", "legacy"},
		Colos:   []string{"ams", "fra"},
		Ring: func(spec string) error {
			if !strings.HasPrefix(spec, "v") {
				return errors.New("no ring " + spec)
			}
			return nil
		},
	}
	good := Flags{Router: part(0.5), Ring: Part{Old: "v1", New: "v1"}}
	if err := good.Check(known); err != nil {
		t.Errorf("good flags: %v", err)
	}
	bad := Flags{
		Router: Part{Old: "legacy", New: "hash", Share: 1.2, Colos: []string{"ams", "xyz"}, Sites: map[string]string{"a": "newer"}},
		Ring:   Part{Old: "w1", New: "w1", Share: math.NaN(), By: "coin"},
	}
	err := bad.Check(known)
	for _, reason := range []string{`router: unknown router "hash" (known: hashed, legacy)`, "router: share is 1.2", `router: unknown colo "xyz" (known: ams, fra)`,
		`router: site "a" is on "newer"`, "ring: no ring w1", "ring: share is NaN", `ring: by is "coin"`} {
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("reasons %q lack %q", err, reason)
		}
	}
}

func TestTooManySites(t *testing.T) {
	p := Part{Old: "v1", New: "v1", OptOut: make([]string, MaxSites+1)}
	err := Flags{Router: p, Ring: p}.Check(Known{Routers: []string{"v1"}, Ring: func(string) error { return nil }})
	if err == nil || !strings.Contains(err.Error(), "10001 sites") {
		t.Errorf("error %v", err)
	}
}

func TestFlagsHaveOneShape(t *testing.T) {
	const part = `{"old":"","new":"","share":0,"colos":[],"sites":{},"opt_out":[],"off":false}`
	raw, err := json.Marshal(Flags{Version: 7}.Filled())
	if want := `{"version":7,"router":` + part + `,"ring":` + part + `}`; err != nil || string(raw) != want {
		t.Errorf("%s, want %s", raw, want)
	}
}

func TestSite(t *testing.T) {
	for host, want := range map[string]string{
		"2b469e16.example.pages.dev": "example",
		"example.pages.dev":          "example",
		"www.shop.com":               "www.shop.com",
		"pages.dev":                  "pages.dev",
		"xpages.dev":                 "xpages.dev",
		".pages.dev":                 "",
		"":                           "",
	} {
		if got := Site(host, ".pages.dev"); got != want {
			t.Errorf("Site(%q) = %q, want %q", host, got, want)
		}
	}
}

func TestChoosingAllocatesNothing(t *testing.T) {
	p := part(0.5)
	p.OptOut = []string{"shop"}
	s := p.Switch(ForRing, "ams")
	if n := testing.AllocsPerRun(100, func() {
		s.Choose(Site("2b469e16.example.pages.dev", ".pages.dev"), "00112233445566778899aabbccddeeff", 1)
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func BenchmarkChoose(b *testing.B) {
	s := part(0.5).Switch(ForRing, "ams")
	for b.Loop() {
		s.Choose("example", "00112233445566778899aabbccddeeff", 1)
	}
}
