package record

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"
)

// ErrExists means that the folder of a run is there already.
var ErrExists = errors.New("exists already; a run needs a folder of its own")

// NewName returns the default name of a run's folder: the time in UTC, the
// experiment and four random hex digits, as in
// 20261130T010203Z-pages-routing-7f3a.
func NewName(now time.Time, experiment string) string {
	var id [2]byte
	_, _ = rand.Read(id[:]) // never fails, see crypto/rand
	return fmt.Sprintf("%s-%s-%s", now.UTC().Format("20060102T150405Z"), experiment, hex.EncodeToString(id[:]))
}

// Run writes the folder of one run. It is used by one goroutine, between
// blocks.
type Run struct {
	Dir string

	version, commit string // of the program, for files that name their writer
	blocks          *os.File
	histograms      *HistogramLog
	samples         *sampleFile
	series          *seriesFile
	differences     *os.File
	rollout         *os.File
	nDiffering      int
}

// Create makes the folder dir, and its parents where they are missing. A
// folder that exists is refused with an error that wraps ErrExists.
func Create(dir string) (*Run, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return nil, fmt.Errorf("creating run folder: %w", err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s: %w", dir, ErrExists)
		}
		return nil, fmt.Errorf("creating run folder: %w", err)
	}
	blocks, err := openAppend(dir, BlocksFile)
	if err != nil {
		return nil, err
	}
	return &Run{Dir: dir, blocks: blocks}, nil
}

func openAppend(dir, name string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("creating %s: %w", name, err)
	}
	return f, nil
}

// WriteExperiment writes the experiment as run.
func (r *Run) WriteExperiment(yaml []byte) error { return r.replace(ExperimentFile, yaml) }

// WriteManifest writes the manifest; a later call replaces it, as at the end
// of a run.
func (r *Run) WriteManifest(m Manifest) error {
	m.Schema = ManifestSchema
	r.version, r.commit = m.Version, m.Commit
	return r.replaceJSON(ManifestFile, m)
}

// WriteSummary writes the summary; readers see all of it or nothing.
func (r *Run) WriteSummary(s Summary) error {
	s.Schema = SummarySchema
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("writing %s: %w", SummaryFile, err)
	}
	return r.replace(SummaryFile, elementALine(data))
}

// AppendBlock adds a line to blocks.jsonl and syncs it to the disk. Values
// that are not finite numbers are left out.
func (r *Run) AppendBlock(b Block) error {
	b.Schema, b.Metrics = BlockSchema, measured(b.Metrics)
	line, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("writing %s: %w", BlocksFile, err)
	}
	if _, err := r.blocks.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("writing %s: %w", BlocksFile, err)
	}
	if err := r.blocks.Sync(); err != nil {
		return fmt.Errorf("writing %s: %w", BlocksFile, err)
	}
	return nil
}

// Close completes the files that have an end. Without it samples.parquet
// keeps its name for unfinished files, and everything else can be read.
func (r *Run) Close() error {
	err := r.blocks.Close()
	if r.histograms != nil {
		err = errors.Join(err, r.histograms.Close())
	}
	if r.samples != nil {
		err = errors.Join(err, r.samples.close())
	}
	if r.series != nil {
		err = errors.Join(err, r.series.close())
	}
	if r.differences != nil {
		err = errors.Join(err, r.differences.Close())
	}
	if r.rollout != nil {
		err = errors.Join(err, r.rollout.Close())
	}
	if err != nil {
		return fmt.Errorf("closing run folder: %w", err)
	}
	return nil
}

func (r *Run) replaceJSON(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return r.replace(name, append(data, '\n'))
}

func (r *Run) replace(name string, data []byte) error {
	if err := renameio.WriteFile(filepath.Join(r.Dir, name), data, 0o666, renameio.WithTempDir(r.Dir)); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
