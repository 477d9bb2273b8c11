package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"switchback/edge/kv"
)

// Sizes publishes source into a store below dir, measures what each family of
// keys takes there after compaction, and removes the store.
func Sizes(ctx context.Context, source Source, dir string, options Options) (sizes map[kv.Prefix]kv.Size, err error) {
	scratch, err := os.MkdirTemp(dir, "sizes-")
	if err != nil {
		return nil, fmt.Errorf("measuring a store: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	path := filepath.Join(scratch, "store")
	if err := Publish(ctx, source, path, options); err != nil {
		return nil, err
	}
	store, err := kv.Open(path, kv.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	sizes, err = store.Sizes(ctx)
	return sizes, errors.Join(err, store.Close())
}
