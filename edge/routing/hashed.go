package routing

import (
	"context"
	"errors"
	"fmt"

	"switchback/edge/kv"
)

// Hashed routes by the hash of a hostname: two look-ups by key, no table and
// no expressions.
type Hashed struct {
	store  *kv.Store
	hasher *Hasher
}

// NewHashed returns the router over the entries that were published with hasher's
// secret.
func NewHashed(store *kv.Store, hasher *Hasher) *Hashed {
	return &Hashed{store: store, hasher: hasher}
}

var _ Router = (*Hashed)(nil)

// Route implements Router. It does not allocate where the entry and
// the pipeline are in the store's LRU.
func (h *Hashed) Route(_ context.Context, host string) (Answer, error) {
	host, ok := Canonical(host)
	if !ok {
		return Answer{}, ErrUnknownHost
	}
	pipeline, err := h.find(h.hasher.Sum(host))
	return Answer{Pipeline: pipeline}, err
}

// find returns the pipeline of the entry named sum. An entry
// whose pipeline is missing is damage, not an unknown hostname.
func (h *Hashed) find(sum Sum) (*Pipeline, error) {
	deployment, err := kv.Get(h.store, EntryKey(sum), decodeEntry)
	if errors.Is(err, kv.ErrNotFound) {
		return nil, ErrUnknownHost
	}
	if err != nil {
		return nil, err
	}
	key := kv.Key{Prefix: kv.Pipelines, Name: deployment}
	pipeline, err := kv.Get(h.store, key, decodePipeline)
	if err != nil {
		return nil, fmt.Errorf("pipeline of deployment %q: %w", deployment, err)
	}
	return pipeline, nil
}
