package routing

import (
	"context"
	"fmt"

	"switchback/edge/kv"
)

// Hashed routes by the hash of a hostname: two look-ups by key in the store, no
// table and no expressions. What they find is kept as one value of the store's LRU,
// so that a hit is one look-up, and waits for memory once.
type Hashed struct {
	store  *kv.Store
	hasher *Hasher
	decode kv.Decoder[*Pipeline] // resolve: made once, since a hit may not allocate
}

// NewHashed returns the router over the entries that were published with hasher's
// secret.
func NewHashed(store *kv.Store, hasher *Hasher) *Hashed {
	h := &Hashed{store: store, hasher: hasher}
	h.decode = h.resolve
	return h
}

var _ Router = (*Hashed)(nil)

// Route implements Router. It does not allocate where the store's LRU has the
// entry.
func (h *Hashed) Route(_ context.Context, host string) (Answer, error) {
	pipeline, err := h.find(h.hasher.Sum(host))
	return Answer{Pipeline: pipeline}, err
}

// find returns the pipeline of the entry named sum.
func (h *Hashed) find(sum Sum) (*Pipeline, error) {
	pipeline, err := kv.Get(h.store, EntryKey(sum), h.decode)
	if err == kv.ErrNotFound { // as it is: wrapped, it is the pipeline that is missing
		return nil, ErrUnknownHost
	}
	return pipeline, err
}

// resolve is the kv.Decoder of an entry: it reads the pipeline of the deployment
// that the entry names. That one is missing is damage, not an unknown hostname.
func (h *Hashed) resolve(raw []byte) (*Pipeline, int64, error) {
	deployment, err := decodeEntry(raw)
	if err != nil {
		return nil, 0, err
	}
	key := kv.Key{Prefix: kv.Pipelines, Name: deployment}
	pipeline, size, err := kv.Read(h.store, key, decodePipeline)
	if err != nil {
		return nil, 0, fmt.Errorf("pipeline of deployment %q: %w", deployment, err)
	}
	return pipeline, size, nil
}
