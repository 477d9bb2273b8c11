package targets

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"switchback/datasets"
)

// maxLine bounds a line, and so the memory of a reader beside its block.
const maxLine = 64 << 10

// Reader is the stream of a stored one.
type Reader struct {
	compressed *zstd.Decoder
	file       *os.File // of Open, else nil
	lines      *bufio.Reader
	digest     *Digest
	number     int // of the line read last
	info       Info
	ended      error // what Block returns from now on
}

var _ Stream = (*Reader)(nil)

// NewReader reads the header. The reader is closed by Close; r stays open.
func NewReader(r io.Reader) (*Reader, error) {
	compressed, err := datasets.Decompress(r)
	if err != nil {
		return nil, fmt.Errorf("reading targets: %w", err)
	}
	in := &Reader{compressed: compressed, lines: bufio.NewReaderSize(compressed, maxLine), digest: NewDigest()}
	if err := in.readHeader(); err != nil {
		in.Close()
		return nil, fmt.Errorf("line 1: %w", err)
	}
	return in, nil
}

// Open reads the stream of a file; errors name it. Close closes the file.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading targets: %w", err)
	}
	r, err := NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.file = f
	return r, nil
}

func (r *Reader) readHeader() error {
	var h Header
	if err := r.read(&h); err != nil {
		return err
	}
	if h.Schema != Schema {
		return fmt.Errorf("schema is %.80q, expected %q", h.Schema, Schema)
	}
	if h.Source != "" && h.Source != SourceImport {
		return fmt.Errorf("source %.80q: expected none or %s", h.Source, SourceImport)
	}
	if len(h.Dataset) > maxDigest || !isVisible(h.Dataset) {
		return fmt.Errorf("dataset %.80q: expected a digest", h.Dataset)
	}
	r.info = newInfo(h)
	return nil
}

// Close frees the reader.
func (r *Reader) Close() {
	r.compressed.Close()
	if r.file != nil {
		r.file.Close()
	}
}

// Info sums up what was read. It is whole after Block has returned io.EOF.
func (r *Reader) Info() Info {
	r.info.Digest = r.digest.String()
	return r.info
}

// Block implements Stream. It returns the next stored block; its number of
// arrivals must be n, or n 0. It returns io.EOF after the last one if the
// stream is whole; any other error names the line.
func (r *Reader) Block(n int) ([]Target, error) {
	if r.ended != nil {
		return nil, r.ended
	}
	block, err := r.block(n)
	if err != nil {
		if err != io.EOF {
			err = r.located(err)
		}
		r.ended = err
		return nil, err
	}
	r.info.add(block)
	return block, r.digest.Add(block)
}

func (r *Reader) block(n int) ([]Target, error) {
	var l line
	if err := r.read(&l); err != nil {
		return nil, err
	}
	if l.End != nil {
		r.info.Imported = l.Imported
		return nil, r.end(*l.End)
	}
	if l.Block == nil || l.Block.Targets < 1 || l.Block.Targets > maxBlock {
		return nil, errors.New("expected a block of targets, or the end")
	}
	block, arrivals, err := r.targets(l.Block.Targets)
	if err == nil && n != 0 && n != arrivals {
		err = fmt.Errorf("the block ends with %d arrivals, %d are asked for", arrivals, n)
	}
	return block, err
}

// targets reads the targets of a block and counts its arrivals.
func (r *Reader) targets(n int) (block []Target, arrivals int, err error) {
	for range n {
		var t Target
		if err := r.read(&t); err != nil {
			return nil, 0, err
		}
		if err := t.Check(); err != nil {
			return nil, 0, err
		}
		if t.View == 0 || t.Document {
			arrivals++
		}
		block = append(block, t)
	}
	return block, arrivals, nil
}

// end checks that the stream is whole.
func (r *Reader) end(counts Counts) error {
	if counts != r.info.Counts {
		return fmt.Errorf("the stream counts %+v, but holds %+v", counts, r.info.Counts)
	}
	if _, err := r.lines.ReadByte(); err != io.EOF {
		return errors.New("data after the end")
	}
	return io.EOF
}

// read decodes the next line.
func (r *Reader) read(into any) error {
	r.number++
	text, err := r.lines.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("longer than %d bytes", maxLine)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the stream is cut short")
	case err != nil:
		return err
	}
	return json.Unmarshal(text, into)
}

// located names the file, if it is known, and the line of an error.
func (r *Reader) located(err error) error {
	if r.file != nil {
		return fmt.Errorf("%s: line %d: %w", r.file.Name(), r.number, err)
	}
	return fmt.Errorf("targets: line %d: %w", r.number, err)
}
