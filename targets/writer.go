package targets

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"switchback/datasets"
)

// Writer stores a stream of targets.
type Writer struct {
	compressed *zstd.Encoder
	digest     *Digest
	info       Info
}

// NewWriter writes the header, with Schema filled in. The writer is ended by
// Close; w stays open.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Schema = Schema
	compressed, err := datasets.Compress(w)
	if err != nil {
		return nil, fmt.Errorf("starting compression: %w", err)
	}
	out := &Writer{compressed: compressed, digest: NewDigest(), info: newInfo(h)}
	return out, out.write(h)
}

func (w *Writer) write(v any) error {
	if err := json.NewEncoder(w.compressed).Encode(v); err != nil {
		return fmt.Errorf("writing targets: %w", err)
	}
	return nil
}

// Write stores a block.
func (w *Writer) Write(block []Target) error {
	w.info.add(block)
	return writeBlock(io.MultiWriter(w.compressed, w.digest.sum), block)
}

// Close ends the stream and returns what it holds.
func (w *Writer) Close() (Info, error) { return w.CloseImported(nil) }

// CloseImported is Close of a stream that was imported.
func (w *Writer) CloseImported(from *Imported) (Info, error) {
	w.info.Imported = from
	if err := w.write(line{End: &w.info.Counts, Imported: from}); err != nil {
		return Info{}, err
	}
	if err := w.compressed.Close(); err != nil {
		return Info{}, fmt.Errorf("writing targets: %w", err)
	}
	w.info.Digest = w.digest.String()
	return w.info, nil
}
