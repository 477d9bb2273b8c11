package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/renameio/v2"

	"switchback/datasets"
	"switchback/harness/caches"
	"switchback/targets"
)

// dataset is the dataset and the targets of a run.
type dataset struct {
	file          string
	digest        string
	targetsDigest string
	known         targets.Target // a target that any arm must answer well
	listed        []string       // hostnames in place of a dataset
	sample        *sample        // of the targets, for the check
	notes         []string       // how a file of the user's was read
}

// prepareDataset finds or generates the dataset and opens the targets over it.
func (c *cell) prepareDataset(ctx context.Context) error {
	c.dataset.sample = newSample(c.e.Check.Sample)
	if err := c.refuseStreams(); err != nil {
		return err
	}
	if c.e.Targets.Hosts != "" {
		return c.listedTargets(ctx)
	}
	if requests, err := c.asksRequests(); err != nil {
		return err
	} else if requests {
		return c.requestedTargets(ctx)
	}
	c.dataset.file = c.e.Dataset.File
	if c.dataset.file == "" {
		file, err := c.generated(ctx)
		if err != nil {
			return err
		}
		c.dataset.file = file
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.e.Targets.File != "" {
		return c.storedTargets(ctx)
	}
	return c.modelTargets(ctx)
}

// refuseStreams refuses pipes and the like in place of files: each is read more than once,
// and by more than one process.
func (c *cell) refuseStreams() error {
	files := map[string]string{"dataset.file": c.e.Dataset.File, "targets.file": c.e.Targets.File, "targets.hosts": c.e.Targets.Hosts}
	for _, a := range c.e.Arms {
		if a.Edge != nil {
			files["nodes.file of arm "+a.Name] = a.Edge.Nodes.File
		}
	}
	for _, key := range slices.Sorted(maps.Keys(files)) {
		if info, err := os.Stat(files[key]); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %s is read more than once: expected a regular file", key, files[key])
		}
	}
	return nil
}

// generated returns the file of the generated dataset. It is made unless it is
// in the cache, whole.
func (c *cell) generated(ctx context.Context) (string, error) {
	settings := c.e.Dataset.Settings.WithDefaults()
	name, err := json.Marshal(struct {
		Schema   string
		Seed     uint64
		Settings datasets.Settings
	}{datasets.Schema, c.o.Seed, settings})
	if err != nil {
		return "", fmt.Errorf("naming the dataset: %w", err)
	}
	sum := sha256.Sum256(name)
	dir := filepath.Join(c.cache, caches.Datasets)
	file := filepath.Join(dir, hex.EncodeToString(sum[:8])+".zst")
	damage := datasets.Verify(file)
	if damage == nil {
		caches.Used(file)
		return file, nil
	}
	if datasets.IsDamage(damage) {
		c.note("the dataset in the cache was generated anew: %v", damage)
	} else if !errors.Is(damage, fs.ErrNotExist) {
		return "", damage
	}
	c.step("generating the dataset")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making the dataset's folder: %w", err)
	}
	return file, c.generate(ctx, file, settings)
}

// generate writes the dataset of the settings to file.
func (c *cell) generate(ctx context.Context, file string, settings datasets.Settings) error {
	pending, err := renameio.NewPendingFile(file, renameio.WithTempDir(c.scratch.Dir))
	if err != nil {
		return fmt.Errorf("writing the dataset: %w", err)
	}
	defer pending.Cleanup()
	if _, err := datasets.Generate(untilDone{ctx, pending}, c.o.Seed, settings); err != nil {
		return fmt.Errorf("generating the dataset: %w", err)
	}
	return pending.CloseAtomicallyReplace()
}

// untilDone is a writer that fails once its context has ended.
type untilDone struct {
	ctx context.Context
	to  io.Writer
}

// Write implements io.Writer.
func (u untilDone) Write(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.to.Write(p)
}

// modelTargets indexes the dataset and draws all blocks once for their digest.
func (c *cell) modelTargets(ctx context.Context) error {
	index, err := Interruptible(ctx, func() (*targets.Index, error) { return indexed(c.dataset.file) })
	if err != nil {
		return err
	}
	c.dataset.digest = index.Info().Digest
	open := func() (targets.Stream, error) { return index.Model(c.e.Targets.Settings, c.o.Seed) }
	return c.openTargets(ctx, open)
}

// indexed reads a dataset for targets.
func indexed(file string) (*targets.Index, error) {
	reader, err := datasets.Open(file)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return targets.NewIndex(reader)
}

// learn keeps the first target that has a good answer.
func (d *dataset) learn(block []targets.Target) {
	i := slices.IndexFunc(block, func(t targets.Target) bool { return t.Status < 400 })
	if d.known.Host == "" && i >= 0 {
		d.known = block[i]
	}
	d.sample.add(block)
}

// storedTargets reads the targets from a file.
func (c *cell) storedTargets(ctx context.Context) error {
	var readers []*targets.Reader
	c.onClose(func() {
		for _, reader := range readers {
			reader.Close()
		}
	})
	open := func() (targets.Stream, error) {
		reader, err := targets.Open(c.e.Targets.File)
		if err == nil {
			readers = append(readers, reader)
			err = c.sameDataset(reader.Info().Dataset)
		}
		return reader, err
	}
	return c.openTargets(ctx, open)
}

// sameDataset refuses targets that were drawn from another dataset.
func (c *cell) sameDataset(digest string) error {
	if c.dataset.digest == "" {
		info, err := datasets.ReadInfo(c.dataset.file)
		if err != nil {
			return err
		}
		c.dataset.digest = info.Digest
	}
	if digest != c.dataset.digest {
		return fmt.Errorf("%s was drawn from dataset %s; this run has %s", c.e.Targets.File, digest, c.dataset.digest)
	}
	return nil
}

// openTargets opens the stream twice: for the digest and for the run.
func (c *cell) openTargets(ctx context.Context, open func() (targets.Stream, error)) error {
	open = c.expected(open)
	first, err := open()
	if err != nil {
		return fmt.Errorf("opening the targets: %w", err)
	}
	digest := targets.NewDigest()
	for range c.e.Blocks.Pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		block, err := first.Block(c.arrivals())
		if err != nil {
			return fmt.Errorf("drawing targets: %w", err)
		}
		if err := digest.Add(block); err != nil {
			return fmt.Errorf("digest of the targets: %w", err)
		}
		c.dataset.learn(block)
	}
	c.dataset.fillSample(first, c.arrivals())
	c.dataset.targetsDigest = digest.String()
	c.stream, err = open()
	return err
}

// arrivals is the number of arrivals in a block.
func (c *cell) arrivals() int {
	if n := c.e.Targets.Arrivals(); n > 0 {
		return n
	}
	return int(float64(c.e.Load.Rate) * time.Duration(c.e.Blocks.Length).Seconds())
}
