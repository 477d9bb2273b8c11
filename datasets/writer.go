package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"
)

// writer writes a dataset as a stream.
type writer struct {
	compressed *zstd.Encoder
	file       *summing
	digest     hash.Hash
	record     encoder
	project    *Project
	info       Info
}

func newWriter(w io.Writer, seed uint64, s Settings) (*writer, error) {
	file := newSumming(w)
	compressed, err := Compress(file)
	if err != nil {
		return nil, fmt.Errorf("starting compression: %w", err)
	}
	out := &writer{compressed: compressed, file: file, digest: sha256.New()}
	out.info = Info{Schema: Schema, Seed: seed, Settings: s}
	head, err := json.Marshal(header{Schema, seed, s})
	if err != nil {
		return nil, fmt.Errorf("writing dataset: %w", err)
	}
	return out, out.write(append(head, '\n'))
}

func (w *writer) write(p []byte) error {
	w.digest.Write(p)
	if _, err := w.compressed.Write(p); err != nil {
		return fmt.Errorf("writing dataset: %w", err)
	}
	return nil
}

// writeRecord writes the record that encode builds.
func (w *writer) writeRecord(encode func(*encoder)) error {
	w.record.payload = append(w.record.payload[:0], make([]byte, lengthBytes)...)
	encode(&w.record)
	if w.record.err != nil {
		return fmt.Errorf("writing dataset: %w", w.record.err)
	}
	binary.LittleEndian.PutUint32(w.record.payload, uint32(len(w.record.payload)-lengthBytes))
	return w.write(w.record.payload)
}

// writeProject starts a project.
func (w *writer) writeProject(p *Project) error {
	w.project = p
	w.info.addProject()
	return w.writeRecord(func(e *encoder) { e.project(p) })
}

// writeDeployment writes the project's next deployment; its assets are those
// that its predecessor did not have.
func (w *writer) writeDeployment(d *Deployment) error {
	w.info.add(w.project, d, d.Assets)
	return w.writeRecord(func(e *encoder) { e.deployment(d) })
}

// close ends the stream and returns what it holds.
func (w *writer) close() (Info, error) {
	if err := w.writeRecord(func(e *encoder) { e.counts(w.info.Counts) }); err != nil {
		return Info{}, err
	}
	if err := w.compressed.Close(); err != nil {
		return Info{}, fmt.Errorf("writing dataset: %w", err)
	}
	if err := w.file.finish(); err != nil {
		return Info{}, fmt.Errorf("writing dataset: %w", err)
	}
	w.info.Digest = digestText(w.digest)
	return w.info, nil
}

func digestText(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }
