package publish

import (
	"context"
	"errors"
	"fmt"
	"time"

	"switchback/edge/kv"
)

// retryEvery is how often Checkpoint asks for a store that is in use: another
// checkpoint of it takes some milliseconds.
const retryEvery = 5 * time.Millisecond

// Checkpoint gives a launch a store of its own: a copy in dir, which must not
// exist, of the published store. Both share the files on disk by hard links where
// they are on one file system. While another checkpoint is being made it waits
// for its turn, until ctx ends.
func Checkpoint(ctx context.Context, published, dir string) error {
	store, err := waitFor(ctx, published)
	if err != nil {
		return err
	}
	return errors.Join(store.Checkpoint(dir), store.Close())
}

// waitFor opens a published store when it is free.
func waitFor(ctx context.Context, published string) (*kv.Store, error) {
	retry := time.NewTicker(retryEvery)
	defer retry.Stop()
	for {
		store, err := kv.Open(published, kv.Options{MustExist: true})
		if !errors.Is(err, kv.ErrInUse) {
			return store, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", err, ctx.Err())
		case <-retry.C:
		}
	}
}
