package publish

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
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
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	draws := rand.New(rand.NewPCG(seed, 0))
	for range 25 {
		settings := datasets.Settings{Tail: draws.IntN(10), BytesPerDeployment: 256 + draws.IntN(545)}
		for range 1 + draws.IntN(5) {
			settings.Sizes = append(settings.Sizes, 1+draws.IntN(8))
		}
		stream := generate(t, draws.Uint64(), settings)
		store := publishAll(t, stream, t.TempDir(), kv.Options{})
		checkDataset(t, allRouters(t, store), read(t, stream))
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRoutersAgreeOnAnyText asks every router for what no deployment has.
func TestRoutersAgreeOnAnyText(t *testing.T) {
	store := publishAll(t, generate(t, 1, datasets.Settings{Sizes: []int{5, 2}}), t.TempDir(), kv.Options{})
	defer store.Close()
	routers := allRouters(t, store)
	rapid.Check(t, func(t *rapid.T) {
		checkAll(t, routers, rapid.String().Draw(t, "any"), nil)
		checkAll(t, routers, rapid.StringMatching(`[a-z.:\[\]-]{0,20}(\.pages\.dev)?`).Draw(t, "alike"), nil)
	})
}

// checkDataset asks routers for all hostnames of a dataset, and closes it.
func checkDataset(t *testing.T, routers map[string]routing.Router, dataset *datasets.Reader) {
	defer dataset.Close()
	for {
		p, d, err := dataset.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range p.Hostnames(d) {
			for _, spelling := range spellings(host) {
				checkAll(t, routers, spelling, pipelineOf(d))
			}
		}
		for _, wrong := range strangers(p.Hostnames(d)[0]) {
			checkAll(t, routers, wrong, nil)
		}
	}
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
		if routers["legacy/"+string(life)], err = routing.NewLegacy(t.Context(), store, life); err != nil {
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

// routeAsSent routes a hostname as an edge does that was sent it.
func routeAsSent(router routing.Router, host string) (routing.Answer, error) {
	canonical, ok := routing.Canonical(host)
	if !ok {
		return routing.Answer{}, routing.ErrUnknownHost
	}
	return router.Route(context.Background(), canonical)
}

// checkAll checks that every router answers want, or ErrUnknownHost for nil.
func checkAll(t rapid.TB, routers map[string]routing.Router, host string, want *routing.Pipeline) {
	for name, router := range routers {
		got, err := routeAsSent(router, host)
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
