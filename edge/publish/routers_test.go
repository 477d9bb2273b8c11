package publish

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"switchback/datasets"
	"switchback/edge/kv"
	"switchback/edge/routing"
)

// TestRoutersAgree asks every router for every hostname of random datasets, in
// several spellings, and for hostnames that no deployment has.
func TestRoutersAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		settings := datasets.Settings{
			Sizes:              rapid.SliceOfN(rapid.IntRange(1, 8), 1, 2).Draw(rt, "sizes"),
			Tail:               rapid.IntRange(0, 2).Draw(rt, "tail"),
			BytesPerDeployment: rapid.IntRange(256, 800).Draw(rt, "bytes"),
		}
		stream := generate(t, rapid.Uint64().Draw(rt, "seed"), settings)
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		store := publishAll(t, stream, dir, kv.Options{})
		defer store.Close()
		routers := allRouters(t, store)
		r := read(t, stream)
		defer r.Close()
		for {
			p, d, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				rt.Fatal(err)
			}
			want := pipelineOf(d)
			for _, host := range p.Hostnames(d) {
				for _, spelling := range spellings(host) {
					checkAll(rt, routers, spelling, want)
				}
			}
			for _, wrong := range strangers(p.Hostnames(d)[0]) {
				checkAll(rt, routers, wrong, nil)
			}
		}
		checkAll(rt, routers, rapid.String().Draw(rt, "any"), nil)
		checkAll(rt, routers, rapid.StringMatching(`[a-z.:\[\]-]{0,20}(\.pages\.dev)?`).Draw(rt, "alike"), nil)
	})
}

// allRouters returns every kind of router over the store.
func allRouters(t testing.TB, store *kv.Store) map[string]routing.Router {
	t.Helper()
	hasher, err := routing.NewHasher(secret)
	if err != nil {
		t.Fatal(err)
	}
	filtered, err := routing.NewFiltered(t.Context(), store, hasher)
	if err != nil {
		t.Fatal(err)
	}
	routers := map[string]routing.Router{
		"hashed":   routing.NewHashed(store, hasher),
		"filtered": filtered,
	}
	for _, life := range []routing.Life{routing.LifeRequest, routing.LifeLRU, routing.LifeResident} {
		if routers["legacy/"+string(life)], err = routing.NewLegacyWithLife(t.Context(), store, life); err != nil {
			t.Fatal(err)
		}
	}
	return routers
}

// spellings returns other ways to write a hostname.
func spellings(host string) []string {
	return []string{
		host, strings.ToUpper(host), host + ":443", host + ".", strings.ToUpper(host) + ".:80",
		strings.ReplaceAll(host, "xn--bcher-kva", "BÜCHER"),
	}
}

// strangers returns hostnames like host that no deployment has.
func strangers(host string) []string {
	return []string{
		"x" + host, host + "x", "x." + host, host + "..", "." + host, host + ":port", host + "/", " " + host,
		strings.Replace(host, ".", "x", 1), "[" + host + "]", host + "\x00", host + ":443:443",
		strings.Repeat("a.", 130) + host,
	}
}

// checkAll checks that every router answers want, or ErrUnknownHost for nil.
func checkAll(t *rapid.T, routers map[string]routing.Router, host string, want *routing.Pipeline) {
	for name, router := range routers {
		got, err := router.Route(context.Background(), host)
		if want == nil {
			if !errors.Is(err, routing.ErrUnknownHost) || got.Pipeline != nil {
				t.Fatalf("%s, %q: got %+v, %v; want ErrUnknownHost", name, host, got.Pipeline, err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got.Pipeline, want) {
			t.Fatalf("%s, %q: got %+v, %v; want %+v", name, host, got.Pipeline, err, want)
		}
	}
}
