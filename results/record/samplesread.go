package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/parquet-go/parquet-go"

	"switchback/regular"
)

// rowsPerRead is how many rows of samples.parquet are decoded at once.
const rowsPerRead = 1024

// Samples calls yield with each row of samples.parquet, in the order of the
// blocks, and stops at its first error. The row is valid during the call. A
// folder without the file, as that of a killed run, has no rows.
func (f *Folder) Samples(yield func(*SampleRow) error) (err error) {
	file, err := regular.Open(f.path(SamplesFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("reading run: %w", err)
	}
	defer file.Close()
	if err := readSamples(file, yield); err != nil {
		return fmt.Errorf("reading %s: %w", f.path(SamplesFile), err)
	}
	return nil
}

// readSamples decodes a Parquet file. The decoder panics on some files that
// are none; a panic of it is an error of the file.
func readSamples(file *os.File, yield func(*SampleRow) error) (err error) {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	inYield := false
	defer func() {
		if cause := recover(); cause != nil {
			if inYield {
				panic(cause)
			}
			err = fmt.Errorf("not a Parquet file of samples: %v", cause)
		}
	}()
	parsed, err := parquet.OpenFile(file, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if err := checkPages(file, info.Size(), parsed); err != nil {
		return err
	}
	reader := parquet.NewGenericReader[SampleRow](parsed)
	defer reader.Close()
	rows := make([]SampleRow, rowsPerRead)
	for {
		n, err := reader.Read(rows)
		for i := range rows[:n] {
			inYield = true
			if err := yield(&rows[i]); err != nil {
				return err
			}
			inYield = false
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// FirstByteAfter returns the nanoseconds from due to first byte, as Sample.Times
// has them; false for a request without a right answer.
func (r *SampleRow) FirstByteAfter() (ns int64, ok bool) {
	if r.FirstByte == nil || !r.RightStatus && r.Error != "" {
		return 0, false
	}
	return *r.FirstByte - r.Due, true
}
