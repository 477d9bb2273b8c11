package ring

import (
	"slices"
	"strings"
	"testing"
)

func TestSets(t *testing.T) {
	servers := manyServers(6, 2)
	for i, features := range [][]string{{"eu"}, {"eu", "large-files"}, {}, {"eu", "large-files"}, {"old"}, {"large-files", "eu"}} {
		servers[i].Features = features
	}
	sets, err := NewSets(Spec{V3, 16}, servers, []string{"any", "large-files+eu", "eu", "large-files"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sets.Names(), []string{"any", "eu+large-files", "eu", "large-files"}; !slices.Equal(got, want) {
		t.Errorf("sets are %v, want %v", got, want)
	}
	// All servers with large-files are in eu, so two sets share a ring.
	if sets.Ring("eu+large-files") != sets.Ring("large-files") || len(sets.Rings()) != 3 || sets.Saved() != sets.Ring("large-files").Bytes() {
		t.Errorf("%d rings, %d bytes saved; want 3, %d", len(sets.Rings()), sets.Saved(), sets.Ring("large-files").Bytes())
	}
	if sets.Ring("large-files+eu") == nil || sets.Ring("old") != nil {
		t.Error("a set is found by an order of its features, or is there that is not in use")
	}
	alone := newRing(t, V3, 16, []Server{servers[1], servers[3], servers[5]}, Options{})
	for h := range uint32(2000) {
		hash := h * 2147483
		want := 1 + 2*alone.Lookup(hash)
		if got := sets.Ring("large-files").Lookup(hash); got != want {
			t.Fatalf("hash %08x goes to %d, want %d", hash, got, want)
		}
		if got := sets.Ring("large-files").PickUp(hash, ServerSet(nil).With(1).With(3)); got != 5 {
			t.Fatalf("with 1 and 3 down hash %08x goes to %d, want 5", hash, got)
		}
	}
	if got := sets.Ring("large-files").PickUp(7, ServerSet(nil).With(1).With(3).With(5)); got != -1 {
		t.Errorf("with the whole set down %d is picked", got)
	}
	for combination, says := range map[string]string{"eu+old": "none of 6 servers", "": "twice", "any": "twice"} {
		if _, err := NewSets(Spec{V3, 16}, servers, []string{"any", combination}, Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("set %q: error %v, want %q in it", combination, err, says)
		}
	}
	if _, err := NewSets(Spec{V3, 16}, servers, nil, Options{}); err == nil {
		t.Error("no combination is accepted")
	}
}
