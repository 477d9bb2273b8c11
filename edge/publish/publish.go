// Package publish writes the deployments of a dataset into a routing store, in
// the legacy form, the hashed form or both. A dataset is published once and
// kept by its digest; each launch of an edge gets a checkpoint of its own.
package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"switchback/datasets"
	"switchback/edge/kv"
)

// Source yields the deployments of a dataset, those of a project one after the
// other, oldest first.
type Source interface {
	// Next returns the next deployment and its project, or io.EOF.
	Next() (*datasets.Project, *datasets.Deployment, error)
}

// Form is one of the ways that a store says which pipeline serves a hostname.
type Form string

// The forms.
const (
	Legacy Form = "legacy" // a table for each project
	Hashed Form = "hashed" // an entry for each hostname
)

// Options of publishing; the zero value of a field is its default.
type Options struct {
	Secret      []byte         // of the hashed entries; must be set for them
	Forms       []Form         // default both
	Compression kv.Compression // of the store; default snappy
	Neighbours  int            // other tenants' small values; default none
	Scratch     string         // folder on the same file system in which Cached makes a store; default its root
}

// forms returns the forms to publish, each once and in a fixed order.
func (o Options) forms() []Form {
	if len(o.Forms) == 0 {
		return []Form{Hashed, Legacy}
	}
	return slices.Compact(slices.Sorted(slices.Values(o.Forms)))
}

// Publish writes the deployments of source into a new store in dir, which must not
// exist or be empty. It holds one project's table in memory at a time. The store is
// compacted, durable and closed when Publish returns without error.
func Publish(ctx context.Context, source Source, dir string, options Options) error {
	if n := options.Neighbours; n < 0 || n > MaxNeighbours {
		return fmt.Errorf("publishing %d neighbours: want 0 to %d", n, MaxNeighbours)
	}
	if err := refuseContent(dir); err != nil {
		return err
	}
	store, err := kv.Open(dir, kv.Options{Compression: options.Compression, Bulk: true})
	if err != nil {
		return err
	}
	if err := fill(ctx, source, store, options); err != nil {
		_ = store.Close() // what went wrong before says more
		return err
	}
	return store.Close()
}

// fill writes the deployments of source into an empty store.
func fill(ctx context.Context, source Source, store *kv.Store, options Options) error {
	loader := store.Load(ctx)
	writers, err := options.writers(loader)
	if err != nil {
		return err
	}
	if err := drain(ctx, source, writers); err != nil {
		return err
	}
	if err := writeNeighbours(loader, options.Neighbours); err != nil {
		return err
	}
	return loader.Finish()
}

// drain passes every deployment of source to the writers.
func drain(ctx context.Context, source Source, to writers) error {
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("publishing: %w", err)
		}
		project, deployment, err := source.Next()
		if errors.Is(err, io.EOF) {
			return to.finish()
		}
		if err != nil {
			return fmt.Errorf("publishing: reading the dataset: %w", err)
		}
		if err := to.write(project, deployment); err != nil {
			return fmt.Errorf("publishing deployment %q of project %q: %w", deployment.ID, project.Name, err)
		}
	}
}

// refuseContent returns an error unless dir is empty or missing.
func refuseContent(dir string) error {
	content, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("publishing into %s: %w", dir, err)
	}
	if len(content) > 0 {
		return fmt.Errorf("publishing into %s: the directory is not empty", dir)
	}
	return nil
}
