package edge

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"switchback/edge/kv"
)

// neighboursSeed is that of the draws: every edge asks for the same values in
// the same order.
const neighboursSeed = 1

// neighbours reads other tenants' values through the LRU, as they do beside
// every site of a real edge.
type neighbours struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

// startNeighbours starts reading at a rate per second. The error is for a rate
// out of range or a store without neighbours.
func startNeighbours(store *kv.Store, rate float64) (*neighbours, error) {
	if rate > kv.MaxNeighbourRate {
		return nil, fmt.Errorf("%v neighbours per second, at most %d", rate, kv.MaxNeighbourRate)
	}
	if _, err := kv.Get(store, kv.NeighbourKey(0), kv.Bytes); err != nil {
		return nil, fmt.Errorf("the store has no neighbours: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	n := &neighbours{stop: stop}
	n.done.Go(func() {
		if err := store.ReadNeighbours(ctx, kv.NeighbourTraffic{Rate: rate, Seed: neighboursSeed}); err != nil {
			slog.Error("the edge serves on without neighbours", "error", err)
		}
	})
	return n, nil
}

func (n *neighbours) close() {
	n.stop()
	n.done.Wait()
}
