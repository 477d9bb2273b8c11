package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"switchback/datasets"
	"switchback/edge/kv"
)

// layout is the version of what Publish writes; another one is published anew.
const layout = 2

// Dataset is a Source that knows, once it has been read to its end, what it
// is. A *datasets.Reader is one.
type Dataset interface {
	Source
	Info() datasets.Info
}

// Cached returns the directory below root that holds the dataset of the digest as
// published with the options. It publishes it first unless it is there, whole, and
// reads from dataset only then; damage says what was wrong with one that it replaced. A
// process that is killed while publishing leaves nothing that a later one would take
// for whole. The store is for Checkpoint, not for use.
func Cached(ctx context.Context, root, digest string, dataset Dataset, options Options) (dir string, damage, err error) {
	dir = filepath.Join(root, options.cacheName(digest))
	found, damage, err := inspect(ctx, dir)
	if err != nil || found {
		return dir, nil, err
	}
	if damage != nil {
		if err := os.RemoveAll(dir); err != nil {
			return "", nil, fmt.Errorf("removing a damaged store: %w", err)
		}
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", nil, fmt.Errorf("publishing: %w", err)
	}
	unfinished, err := os.MkdirTemp(cmp.Or(options.Scratch, root), "unfinished-")
	if err != nil {
		return "", nil, fmt.Errorf("publishing: %w", err)
	}
	spare := keepDescriptors(root)
	defer spare.close()
	if err := publishAs(ctx, unfinished, digest, dataset, options); err != nil {
		spare.close()
		if left := os.RemoveAll(unfinished); left != nil {
			err = fmt.Errorf("%w (%s is left: %v)", err, unfinished, left)
		}
		return "", nil, err
	}
	return dir, damage, moveInto(unfinished, dir)
}

// Checkpoint gives a launch a store of its own in dir: a kv.Copy of the published one.
func Checkpoint(ctx context.Context, published, dir string) error {
	return kv.Copy(ctx, published, dir)
}

// inspect looks for a whole store in dir. It waits until another process has looked.
func inspect(ctx context.Context, dir string) (found bool, damage, err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	} else if err != nil {
		return false, nil, fmt.Errorf("looking for a published dataset: %w", err)
	}
	err = verifyWhenFree(ctx, dir)
	if errors.Is(err, kv.ErrDamaged) {
		return false, err, nil
	}
	return err == nil, nil, err
}

// retryEvery is how often a store that is in use is asked for.
const retryEvery = 5 * time.Millisecond

// verifyWhenFree verifies a published store, when no other process has it open.
func verifyWhenFree(ctx context.Context, dir string) error {
	retry := time.NewTicker(retryEvery)
	defer retry.Stop()
	for {
		err := kv.Verify(ctx, dir)
		if !errors.Is(err, kv.ErrInUse) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", err, ctx.Err())
		case <-retry.C:
		}
	}
}

// descriptors are open files that nobody reads.
type descriptors []*os.File

// keepDescriptors opens a folder a few times. A store that stopped because there were no
// descriptors left keeps its own; these make room to remove it.
func keepDescriptors(dir string) *descriptors {
	var all descriptors
	for range 4 {
		if f, err := os.Open(dir); err == nil {
			all = append(all, f)
		}
	}
	return &all
}

func (d *descriptors) close() {
	for _, f := range *d {
		f.Close()
	}
	*d = nil
}

// publishAs publishes a dataset that must have the digest.
func publishAs(ctx context.Context, dir, digest string, dataset Dataset, options Options) error {
	if err := Publish(ctx, dataset, dir, options); err != nil {
		return err
	}
	if got := dataset.Info().Digest; got != digest {
		return fmt.Errorf("publishing: the dataset has the digest %q, expected %q", got, digest)
	}
	return nil
}

// moveInto renames a finished directory, unless another process was faster.
func moveInto(finished, dir string) error {
	err := os.Rename(finished, dir)
	if err == nil {
		return nil
	}
	if _, statErr := os.Stat(dir); statErr == nil {
		return os.RemoveAll(finished)
	}
	return fmt.Errorf("publishing: %w", errors.Join(err, os.RemoveAll(finished)))
}

// cacheName names what Publish writes for a dataset: equal names, equal stores.
// The secret enters by its hash only.
func (o Options) cacheName(digest string) string {
	identity, err := json.Marshal(struct {
		Layout      int
		Digest      string
		Secret      [sha256.Size]byte
		Forms       []Form
		Compression string
		Neighbours  int
	}{layout, digest, sha256.Sum256(o.Secret), o.forms(), string(o.Compression), o.Neighbours})
	if err != nil {
		panic(err) // of a struct that has nothing JSON cannot hold
	}
	return fmt.Sprintf("published-%x", sha256.Sum256(identity))
}
