package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"switchback/datasets"
	"switchback/edge/kv"
	"switchback/edge/publish"
)

// stores prepares the routing stores of a run in this process.
type stores struct{}

// Publish implements runner.Stores.
func (stores) Publish(ctx context.Context, root, dataset, digest string, secret []byte) (string, error) {
	store := filepath.Join(root, strings.TrimPrefix(digest, "sha256:"))
	if _, err := os.Stat(store); err == nil {
		return store, nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", fmt.Errorf("making the folder of stores: %w", err)
	}
	reader, err := datasets.Open(dataset)
	if err != nil {
		return "", err
	}
	defer reader.Close()
	pending, err := os.MkdirTemp(root, "pending-")
	if err != nil {
		return "", fmt.Errorf("publishing %s: %w", dataset, err)
	}
	defer os.RemoveAll(pending)
	if err := publish.Publish(ctx, reader, pending, publish.Options{Secret: secret}); err != nil {
		return "", fmt.Errorf("publishing %s: %w", dataset, err)
	}
	return store, os.Rename(pending, store)
}

// Checkpoint implements runner.Stores.
func (stores) Checkpoint(ctx context.Context, store, dir string) error {
	db, err := kv.Open(store, kv.Options{})
	if err != nil {
		return err
	}
	return errors.Join(db.Checkpoint(dir), db.Close())
}
