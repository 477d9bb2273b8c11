package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"
	"unique"

	"switchback/regular"
)

// Folder is a run folder that was read.
type Folder struct {
	Dir        string
	Experiment []byte // experiment.yaml; nil when it is missing
	Manifest   Manifest
	Blocks     []Block
	Cut        bool     // the last line of blocks.jsonl was cut short and left out
	Summary    *Summary // nil for a run that did not end
}

// Open reads the manifest, blocks and summary of a run. A run that was killed
// has no summary and may have a cut last line. Errors name file and line.
func Open(dir string) (*Folder, error) {
	f := &Folder{Dir: dir}
	if err := f.readManifest(); err != nil {
		return nil, err
	}
	if err := f.readBlocks(); err != nil {
		return nil, err
	}
	if err := f.readSummary(); err != nil {
		return nil, err
	}
	experiment, err := f.read(ExperimentFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f.Experiment = experiment
	return f, nil
}

// readManifest reads what every folder of a run has.
func (f *Folder) readManifest() error {
	err := f.readJSON(ManifestFile, ManifestSchema, &f.Manifest)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%s is no folder of a run: %w", f.Dir, err)
	}
	return err
}

// readSummary reads the summary, which a run that was killed has not.
func (f *Folder) readSummary() error {
	var summary Summary
	err := f.readJSON(SummaryFile, SummarySchema, &summary)
	switch {
	case err == nil:
		f.Summary = &summary
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	return err
}

func (f *Folder) path(name string) string { return filepath.Join(f.Dir, name) }

func (f *Folder) read(name string) ([]byte, error) {
	file, err := regular.Open(f.path(name))
	if err != nil {
		return nil, fmt.Errorf("reading run: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading run: %w", err)
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("reading run: %s is larger than %d MiB", f.path(name), maxFileBytes>>20)
	}
	return data, nil
}

// readJSON decodes a file of one JSON object. Unknown keys are skipped: a
// later version may have added them.
func (f *Folder) readJSON(name, schema string, v any) error {
	data, err := f.read(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s:%d: %w", f.path(name), errorLine(data, err), err)
	}
	return f.checkSchema(name, data, schema)
}

// errorLine returns the line at which JSON could not be decoded.
func errorLine(data []byte, err error) int {
	offset := int64(len(data))
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &typed):
		offset = typed.Offset
	}
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}

func (f *Folder) checkSchema(name string, data []byte, want string) error {
	var has struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &has); err != nil {
		return fmt.Errorf("%s:1: %w", f.path(name), err)
	}
	if err := wrongSchema(has.Schema, want); err != nil {
		return fmt.Errorf("%s:1: %w", f.path(name), err)
	}
	return nil
}

func (f *Folder) readBlocks() (err error) {
	arms, parts := f.Manifest.arms(), 0
	f.Cut, err = f.eachLine(BlocksFile, maxLinesBytes, func(_ int, line []byte) error {
		var b Block
		if err := json.Unmarshal(line, &b); err != nil {
			return err
		}
		if parts += b.parts(); parts > maxParts {
			return fmt.Errorf("more than %d values in all lines", maxParts)
		}
		intern(b.Metrics)
		restore(b.Metrics)
		f.Blocks = append(f.Blocks, b)
		return errors.Join(b.checkSchema(), b.check(arms))
	})
	return err
}

// intern makes equal names of metrics and groups share their bytes: a long
// run has a million of them.
func intern(values []Value) {
	for i := range values {
		values[i].Metric = unique.Make(values[i].Metric).Value()
		values[i].Group = unique.Make(values[i].Group).Value()
	}
}
