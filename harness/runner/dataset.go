package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/renameio/v2"

	"switchback/datasets"
	"switchback/targets"
)

// dataset is the dataset and the targets of a run.
type dataset struct {
	file          string
	digest        string
	targetsDigest string
	known         targets.Target // a target that any arm must answer well
}

// prepareDataset finds or generates the dataset and opens the targets over it.
func (r *run) prepareDataset(ctx context.Context) error {
	r.dataset.file = r.e.Dataset.File
	if r.dataset.file == "" {
		file, err := r.generated()
		if err != nil {
			return err
		}
		r.dataset.file = file
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.e.Targets.File != "" {
		return r.storedTargets()
	}
	return r.modelTargets()
}

// generated returns the file of the generated dataset, made unless it is in
// the cache.
func (r *run) generated() (string, error) {
	settings := r.e.Dataset.Settings.WithDefaults()
	name, err := json.Marshal(struct {
		Schema   string
		Seed     uint64
		Settings datasets.Settings
	}{datasets.Schema, r.o.Seed, settings})
	if err != nil {
		return "", fmt.Errorf("naming the dataset: %w", err)
	}
	sum := sha256.Sum256(name)
	dir := filepath.Join(r.o.Results, "cache", "datasets")
	file := filepath.Join(dir, hex.EncodeToString(sum[:8])+".zst")
	if _, err := os.Stat(file); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	r.step("generating the dataset")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making the dataset's folder: %w", err)
	}
	pending, err := renameio.NewPendingFile(file)
	if err != nil {
		return "", fmt.Errorf("writing the dataset: %w", err)
	}
	defer pending.Cleanup()
	if _, err := datasets.Generate(pending, r.o.Seed, settings); err != nil {
		return "", fmt.Errorf("generating the dataset: %w", err)
	}
	return file, pending.CloseAtomicallyReplace()
}

// modelTargets indexes the dataset and draws all blocks once for their digest.
func (r *run) modelTargets() error {
	reader, err := datasets.Open(r.dataset.file)
	if err != nil {
		return err
	}
	defer reader.Close()
	index, err := targets.NewIndex(reader)
	if err != nil {
		return err
	}
	r.dataset.digest = index.Info().Digest
	open := func() (targets.Stream, error) { return index.Model(r.e.Targets.Settings, r.o.Seed) }
	return r.openTargets(open)
}

// learn keeps the first target that has a good answer.
func (d *dataset) learn(block []targets.Target) {
	i := slices.IndexFunc(block, func(t targets.Target) bool { return t.Status < 400 })
	if d.known.Host == "" && i >= 0 {
		d.known = block[i]
	}
}

// storedTargets reads the targets from a file.
func (r *run) storedTargets() error {
	var readers []*targets.Reader
	r.onClose(func() {
		for _, reader := range readers {
			reader.Close()
		}
	})
	open := func() (targets.Stream, error) {
		reader, err := targets.Open(r.e.Targets.File)
		if err == nil {
			readers = append(readers, reader)
			err = r.sameDataset(reader.Info().Dataset)
		}
		return reader, err
	}
	return r.openTargets(open)
}

// sameDataset refuses targets that were drawn from another dataset.
func (r *run) sameDataset(digest string) error {
	if r.dataset.digest == "" {
		info, err := datasets.ReadInfo(r.dataset.file)
		if err != nil {
			return err
		}
		r.dataset.digest = info.Digest
	}
	if digest != r.dataset.digest {
		return fmt.Errorf("%s was drawn from dataset %s; this run has %s", r.e.Targets.File, digest, r.dataset.digest)
	}
	return nil
}

// openTargets opens the stream twice: for the digest and for the run.
func (r *run) openTargets(open func() (targets.Stream, error)) error {
	first, err := open()
	if err != nil {
		return fmt.Errorf("opening the targets: %w", err)
	}
	digest := targets.NewDigest()
	for range r.e.Blocks.Pairs {
		block, err := first.Block(r.arrivals())
		if err != nil {
			return fmt.Errorf("drawing targets: %w", err)
		}
		if err := digest.Add(block); err != nil {
			return fmt.Errorf("digest of the targets: %w", err)
		}
		r.dataset.learn(block)
	}
	r.dataset.targetsDigest = digest.String()
	r.stream, err = open()
	return err
}

// arrivals is the number of arrivals in a block.
func (r *run) arrivals() int {
	if n := r.e.Targets.Arrivals(); n > 0 {
		return n
	}
	return int(float64(r.e.Load.Rate) * time.Duration(r.e.Blocks.Length).Seconds())
}
