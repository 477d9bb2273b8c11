package main

import (
	"context"

	"switchback/datasets"
	"switchback/edge/publish"
)

// stores prepares the routing stores of a run in this process.
type stores struct{}

// Publish implements runner.Stores.
func (stores) Publish(ctx context.Context, root, dataset, digest string, secret []byte) (string, error) {
	reader, err := datasets.Open(dataset)
	if err != nil {
		return "", err
	}
	defer reader.Close()
	return publish.Cached(ctx, root, digest, reader, publish.Options{Secret: secret})
}

// Checkpoint implements runner.Stores.
func (stores) Checkpoint(ctx context.Context, store, dir string) error {
	return publish.Checkpoint(ctx, store, dir)
}
