package main

import (
	"context"

	"switchback/datasets"
	"switchback/edge/publish"
	"switchback/harness/runner"
)

// stores prepares the routing stores of a run in this process.
type stores struct{}

// Publish implements runner.Stores.
func (stores) Publish(ctx context.Context, root string, c runner.StoreContent) (store string, damage, err error) {
	reader, err := datasets.Open(c.Dataset)
	if err != nil {
		return "", nil, err
	}
	defer reader.Close()
	return publish.Cached(ctx, root, c.Digest, reader, publish.Options{Secret: c.Secret, Neighbours: c.Neighbours, Scratch: c.Scratch})
}

// Checkpoint implements runner.Stores.
func (stores) Checkpoint(ctx context.Context, store, dir string) error {
	return publish.Checkpoint(ctx, store, dir)
}
