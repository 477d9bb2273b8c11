package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"
)

// window bounds the memory of the compression on both sides.
const window = 1 << 20

// writer writes a dataset as a stream.
type writer struct {
	compressed *zstd.Encoder
	digest     hash.Hash
	lines      *json.Encoder
	project    *Project
	info       Info
}

func newWriter(w io.Writer, seed uint64, s Settings) (*writer, error) {
	compressed, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window))
	if err != nil {
		return nil, fmt.Errorf("starting compression: %w", err)
	}
	digest := sha256.New()
	out := &writer{compressed: compressed, digest: digest, lines: json.NewEncoder(io.MultiWriter(compressed, digest))}
	out.lines.SetEscapeHTML(false)
	out.info = Info{Schema: Schema, Seed: seed, Settings: s}
	return out, out.write(header{Schema, seed, s})
}

func (w *writer) write(v any) error {
	if err := w.lines.Encode(v); err != nil {
		return fmt.Errorf("writing dataset: %w", err)
	}
	return nil
}

// writeProject starts a project.
func (w *writer) writeProject(p *Project) error {
	w.project = p
	w.info.addProject()
	return w.write(line{Project: p})
}

// writeDeployment writes the project's next deployment; its assets are those
// that its predecessor did not have.
func (w *writer) writeDeployment(d *Deployment) error {
	w.info.add(w.project, d, d.Assets)
	return w.write(line{Deployment: d})
}

// close ends the stream and returns what it holds.
func (w *writer) close() (Info, error) {
	if err := w.write(line{End: &w.info.Counts}); err != nil {
		return Info{}, err
	}
	if err := w.compressed.Close(); err != nil {
		return Info{}, fmt.Errorf("writing dataset: %w", err)
	}
	w.info.Digest = digestText(w.digest)
	return w.info, nil
}

func digestText(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }
