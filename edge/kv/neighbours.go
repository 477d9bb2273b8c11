package kv

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// neighbourTick is how often the neighbours' reads are made, in a burst each.
const neighbourTick = 10 * time.Millisecond

// MaxNeighbourRate bounds the reads per second of Neighbours, which are made on one goroutine.
const MaxNeighbourRate = 100_000

// NeighbourTraffic is what other tenants ask of a store: small values, some much
// more often than others.
type NeighbourTraffic struct {
	Rate     float64 // reads per second, at most MaxNeighbourRate
	Seed     uint64  // of the draws
	Exponent float64 // of the Zipf law over the values; default 1.1, must be above 1
}

// NeighbourKey returns the key of the i-th neighbour's value.
func NeighbourKey(i uint64) Key {
	return Key{Prefix: Neighbours, Name: string(binary.BigEndian.AppendUint64(nil, i))}
}

// ReadNeighbours reads the neighbours' values through the LRU at the traffic's rate
// until ctx ends; then it returns nil. The values are NeighbourKey(0) and on, as many
// as the store has. Reads that are late are made up for, up to a second's worth.
func (s *Store) ReadNeighbours(ctx context.Context, traffic NeighbourTraffic) error {
	next, err := s.neighbourDraws(traffic)
	if err != nil {
		return fmt.Errorf("reading neighbours: %w", err)
	}
	tick := time.NewTicker(neighbourTick)
	defer tick.Stop()
	last, owed := time.Now(), 0.0
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			owed = min(owed+traffic.Rate*now.Sub(last).Seconds(), max(traffic.Rate, 1))
			last = now
		}
		for ; owed >= 1; owed-- {
			if _, err := Get(s, NeighbourKey(next()), Bytes); err != nil {
				return fmt.Errorf("reading neighbours: %w", err)
			}
		}
	}
}

// neighbourDraws returns a function that draws the number of the next value.
func (s *Store) neighbourDraws(traffic NeighbourTraffic) (func() uint64, error) {
	if traffic.Rate <= 0 || traffic.Rate > MaxNeighbourRate {
		return nil, fmt.Errorf("rate of %v/s: want above 0, at most %d", traffic.Rate, MaxNeighbourRate)
	}
	exponent := traffic.Exponent
	if exponent == 0 {
		exponent = 1.1
	}
	count, err := s.neighbours()
	if err != nil {
		return nil, err
	}
	zipf := rand.NewZipf(rand.New(rand.NewPCG(traffic.Seed, 0)), exponent, 1, count-1)
	if zipf == nil {
		return nil, fmt.Errorf("exponent of %v: want above 1", traffic.Exponent)
	}
	return zipf.Uint64, nil
}

// neighbours returns how many neighbours' values the store has.
func (s *Store) neighbours() (uint64, error) {
	low, high := Neighbours.span()
	keys, err := s.db.NewIter(&pebble.IterOptions{LowerBound: low, UpperBound: high})
	if err != nil {
		return 0, err
	}
	if !keys.Last() || len(keys.Key()) != len(low)+8 {
		return 0, errors.Join(errors.New("the store was published without neighbours"), keys.Close())
	}
	last := binary.BigEndian.Uint64(keys.Key()[len(low):])
	return last + 1, keys.Close()
}
