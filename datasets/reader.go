package datasets

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// Reader reads a dataset as a stream, in bounded memory: that of the
// compression's window and of one project's latest assets.
type Reader struct {
	compressed *zstd.Decoder
	file       *os.File // of Open, else nil
	lines      *bufio.Reader
	digest     hash.Hash
	number     int // of the line read last
	project    *Project
	left       int // deployments of the project still to come
	latest     []Asset
	info       Info
	ended      error // what Next returns from now on
}

// NewReader reads the header. The reader is closed by Close; r stays open.
func NewReader(r io.Reader) (*Reader, error) {
	compressed, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(8*window), zstd.WithDecoderConcurrency(2))
	if err != nil {
		return nil, fmt.Errorf("reading dataset: %w", err)
	}
	in := &Reader{compressed: compressed, digest: sha256.New()}
	in.lines = bufio.NewReaderSize(compressed, maxLine)
	if err := in.readHeader(); err != nil {
		in.Close()
		return nil, fmt.Errorf("line 1: %w", err)
	}
	return in, nil
}

func (r *Reader) readHeader() error {
	text, err := r.readLine()
	if err != nil {
		return err
	}
	var head header
	if err := json.Unmarshal(text, &head); err != nil || head.Schema == "" {
		return errors.New("not a dataset: the first line is no header")
	}
	if head.Schema != Schema {
		return fmt.Errorf("schema is %.80q, expected %q", head.Schema, Schema)
	}
	if err := head.Settings.Check(); err != nil {
		return err
	}
	r.info = Info{Schema: Schema, Seed: head.Seed, Settings: head.Settings}
	return nil
}

// Close frees the reader.
func (r *Reader) Close() {
	r.compressed.Close()
	if r.file != nil {
		r.file.Close()
	}
}

// Info sums up what was read. It is whole, with the digest, after Next has
// returned io.EOF.
func (r *Reader) Info() Info { return r.info }

// Next returns the next deployment, with all of its assets, and its project,
// which is the same pointer for all of a project's deployments. It returns
// io.EOF after the last one if the stream is whole; any other error names the
// line. That IDs, aliases and names differ from each other is not checked.
func (r *Reader) Next() (*Project, *Deployment, error) {
	if r.ended != nil {
		return nil, nil, r.ended
	}
	d, err := r.next()
	if err != nil {
		if err != io.EOF {
			err = r.located(err)
		}
		r.ended = err
		return nil, nil, err
	}
	return r.project, d, nil
}

func (r *Reader) next() (*Deployment, error) {
	for {
		var l line
		text, err := r.readLine()
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, err
		}
		switch {
		case l.Deployment != nil:
			return l.Deployment, r.add(l.Deployment)
		case l.Project != nil:
			if err := r.start(l.Project); err != nil {
				return nil, err
			}
		case l.End != nil:
			return nil, r.end(*l.End)
		default:
			return nil, errors.New("expected a project, a deployment or the end")
		}
	}
}

// start begins a project.
func (r *Reader) start(p *Project) error {
	if r.left > 0 {
		return fmt.Errorf("project %q lacks %d deployments", r.project.Name, r.left)
	}
	if err := p.check(); err != nil {
		return err
	}
	r.project, r.left, r.latest = p, p.Deployments, nil
	r.info.addProject()
	return nil
}

// add completes a deployment by the assets of its predecessor.
func (r *Reader) add(d *Deployment) error {
	if r.left == 0 {
		return errors.New("a deployment without a project, or one more than the project has")
	}
	if err := d.check(); err != nil {
		return err
	}
	changed := d.Assets
	all, err := merged(r.latest, changed)
	if err != nil {
		return err
	}
	r.left--
	r.latest, d.Assets = all, all
	r.info.add(r.project, d, changed)
	return nil
}

// end checks that the stream is whole.
func (r *Reader) end(counts Counts) error {
	if r.left > 0 {
		return fmt.Errorf("project %q lacks %d deployments", r.project.Name, r.left)
	}
	if counts != r.info.Counts {
		return fmt.Errorf("the stream counts %+v, but holds %+v", counts, r.info.Counts)
	}
	if _, err := r.lines.ReadByte(); err != io.EOF {
		return errors.New("data after the end")
	}
	r.info.Digest = digestText(r.digest)
	return io.EOF
}

// readLine returns the next line, valid until the next call.
func (r *Reader) readLine() ([]byte, error) {
	r.number++
	text, err := r.lines.ReadSlice('\n')
	r.digest.Write(text)
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("longer than %d bytes", maxLine)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("the stream is cut short")
	case err != nil:
		return nil, err
	}
	return text, nil
}

// located names the file, if it is known, and the line of an error.
func (r *Reader) located(err error) error {
	if r.file != nil {
		return fmt.Errorf("%s: line %d: %w", r.file.Name(), r.number, err)
	}
	return fmt.Errorf("dataset: line %d: %w", r.number, err)
}
