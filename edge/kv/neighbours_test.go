package kv

import (
	"context"
	"testing"
)

// TestReadNeighbours reads until the LRU has seen a thousand look-ups.
func TestReadNeighbours(t *testing.T) {
	s := newStore(t, Options{})
	values := map[Key]string{{Tables, "a"}: "table"}
	for i := range uint64(300) {
		values[NeighbourKey(i)] = "value"
	}
	put(t, s, values)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.ReadNeighbours(ctx, NeighbourTraffic{Rate: MaxNeighbourRate, Seed: 1}) }()
	looked := func() int64 { return s.Stats()[ClassNeighbour].Hits + s.Stats()[ClassNeighbour].Misses }
	for looked() < 1000 && ctx.Err() == nil {
		select {
		case err := <-done:
			t.Fatalf("ended: %v", err)
		default:
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	got := s.Stats()[ClassNeighbour]
	if got.Misses < 30 || got.Misses > 300 || got.Hits < got.Misses {
		t.Errorf("got %+v, want mostly hits, and a miss for each of the values drawn", got)
	}
}

func TestReadNeighboursRefuses(t *testing.T) {
	s := newStore(t, Options{})
	if err := s.ReadNeighbours(t.Context(), NeighbourTraffic{Rate: 10}); err == nil {
		t.Error("a store without neighbours was read")
	}
	put(t, s, map[Key]string{NeighbourKey(0): "value"})
	for name, traffic := range map[string]NeighbourTraffic{
		"no rate":     {},
		"a high rate": {Rate: 2 * MaxNeighbourRate},
		"an exponent": {Rate: 10, Exponent: 0.9},
	} {
		if err := s.ReadNeighbours(t.Context(), traffic); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
