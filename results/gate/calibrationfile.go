package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"switchback/results/record"
)

// CalibrationSchema is written into every calibration and checked when read.
const CalibrationSchema = "switchback.calibration/2"

// maxStoredBytes bounds the calibrations and references that are read.
const maxStoredBytes = 16 << 20

// CalibrationFile returns the name of the calibration of a kind of machine.
func CalibrationFile(kind record.MachineKind) string {
	name := fmt.Sprintf("%s-%dcpu-%dgib-%s", kind.CPU, kind.CPUs, kind.MemoryGiB, kind.Architecture)
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, name), "-") + ".json"
}

// WriteCalibration stores a calibration in dir, in place of an earlier one of
// the same kind of machine, and returns its path.
func WriteCalibration(dir string, c Calibration) (string, error) {
	path := filepath.Join(dir, CalibrationFile(c.MachineKind))
	return path, store(path, c)
}

// ReadCalibration reads the calibration of a kind of machine from dir; nil
// when there is none.
func ReadCalibration(dir string, kind record.MachineKind) (*Calibration, error) {
	var c Calibration
	err := load(filepath.Join(dir, CalibrationFile(kind)), CalibrationSchema, &c)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// store writes v as JSON; readers see all of it or nothing. What is no plain
// file, such as a device or a link, is written into and stays.
func store(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	write := func(data []byte) error {
		return renameio.WriteFile(path, data, 0o666, renameio.WithTempDir(filepath.Dir(path)))
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		write = func(data []byte) error { return os.WriteFile(path, data, 0o666) }
	}
	if err := write(append(data, '\n')); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// load reads a JSON file of a schema. Unknown keys are skipped: a later
// version may have added them.
func load(path, schema string, v any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxStoredBytes+1))
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	if len(data) > maxStoredBytes {
		return fmt.Errorf("reading %s: larger than %d MiB", path, maxStoredBytes>>20)
	}
	var has struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &has); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	if has.Schema != schema {
		if has.Schema == strings.TrimSuffix(schema, "2")+"1" {
			return fmt.Errorf("reading %s: schema %q, expected %q: its quantiles are of an earlier rule (rank q·n rounded, now ⌈q·n⌉): make it again", path, has.Schema, schema)
		}
		return fmt.Errorf("reading %s: schema %q, expected %q", path, has.Schema, schema)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}
