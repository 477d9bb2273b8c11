package datasets

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// Reader reads a dataset as a stream, in bounded memory: that of the
// compression's window, of a record and of one project's latest assets.
type Reader struct {
	compressed *zstd.Decoder
	file       *os.File // of Open, else nil
	stream     *bufio.Reader
	record     []byte
	digest     hash.Hash
	records    int // read so far
	project    *Project
	left       int // deployments of the project still to come
	latest     []Asset
	info       Info
	ended      error // what Next returns from now on
}

// NewReader reads the header. The reader is closed by Close; r stays open.
func NewReader(r io.Reader) (*Reader, error) {
	compressed, err := Decompress(r)
	if err != nil {
		return nil, fmt.Errorf("reading dataset: %w", err)
	}
	in := &Reader{compressed: compressed, digest: sha256.New(), stream: bufio.NewReaderSize(compressed, 64<<10)}
	if err := in.readHeader(); err != nil {
		in.Close()
		return nil, fmt.Errorf("header: %w", err)
	}
	return in, nil
}

// Open reads the dataset of a file, which is compared with its checksum first if
// it has one; errors name the file. Close closes it.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading dataset: %w", err)
	}
	var r *Reader
	if err = verify(f); err == nil || errors.Is(err, errNoChecksum) {
		r, err = NewReader(f)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.file = f
	return r, nil
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
// file and the record. Texts of one record share memory. That IDs, aliases and
// names differ from each other is not checked.
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
		record, err := r.readRecord()
		if err != nil {
			return nil, err
		}
		switch record.number() {
		case recordDeployment:
			return r.add(record)
		case recordProject:
			err = r.start(record)
		case recordCounts:
			err = r.end(record)
		default:
			err = errors.New("expected a project, a deployment or the counts")
		}
		if err != nil {
			return nil, err
		}
	}
}

// start begins a project.
func (r *Reader) start(record *decoder) error {
	if err := r.complete(); err != nil {
		return err
	}
	p := record.project()
	if err := errors.Join(record.end(), p.check()); err != nil {
		return err
	}
	r.project, r.left, r.latest = p, p.Deployments, nil
	r.info.addProject()
	return nil
}

// complete checks that the project has all of its deployments.
func (r *Reader) complete() error {
	if r.left > 0 {
		return fmt.Errorf("project %q lacks %d deployments", r.project.Name, r.left)
	}
	return nil
}

// add returns a deployment, its assets completed by those of its predecessor.
func (r *Reader) add(record *decoder) (*Deployment, error) {
	if r.left == 0 {
		return nil, errors.New("a deployment without a project, or one more than the project has")
	}
	d := record.deployment()
	if err := record.end(); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	changed := d.Assets
	all, err := merged(r.latest, changed)
	if err != nil {
		return nil, err
	}
	r.left--
	r.latest, d.Assets = all, all
	r.info.add(r.project, d, changed)
	return d, nil
}

// end checks that the stream is whole; then it returns io.EOF.
func (r *Reader) end(record *decoder) error {
	counts := record.counts()
	if err := errors.Join(record.end(), r.complete()); err != nil {
		return err
	}
	if counts != r.info.Counts {
		return fmt.Errorf("the stream counts %+v, but holds %+v", counts, r.info.Counts)
	}
	if _, err := r.stream.ReadByte(); err != io.EOF {
		return fmt.Errorf("data after the end (%v)", err)
	}
	r.info.Digest = digestText(r.digest)
	return io.EOF
}

// located names the file, if it is known, and the record of an error.
func (r *Reader) located(err error) error {
	if r.file != nil {
		return fmt.Errorf("%s: record %d: %w", r.file.Name(), r.records, err)
	}
	return fmt.Errorf("dataset: record %d: %w", r.records, err)
}
