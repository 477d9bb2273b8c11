package record

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Second is a line of series.csv.zst: what happened in one second of a run, or
// in a shorter stretch at the end of a block. What is not known is NaN, an
// empty field in the file.
type Second struct {
	Time           time.Time
	Arm            string  // that got the traffic
	Rate           float64 // requests released, per second
	OriginRequests float64 // per second
	HitRatio       float64 // of the arm's content cache
	Memory         float64 // RSS of the arm, bytes
	CPU            float64 // CPU-seconds per second of the arm
	Flags          int     // version of the arm's flags at its end; 0, an empty field, where it was not told
	Cell           string  // of a sweep
}

// seriesHeader names the columns; times are RFC 3339 in UTC, to the millisecond.
var seriesHeader = [...]string{"time", "arm", "rate", "origin_requests", "hit_ratio", "rss", "cpu", "flags", "cell"}

// seriesBeforeCells is the number of columns that files had before they named the cell.
const seriesBeforeCells = 8

type seriesFile struct {
	file *os.File
	zstd *zstd.Encoder
	csv  *csv.Writer
}

func createSeriesFile(dir string) (*seriesFile, error) {
	file, err := openAppend(dir, SeriesFile)
	if err != nil {
		return nil, err
	}
	enc, err := zstd.NewWriter(file, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("creating %s: %w", SeriesFile, err)
	}
	f := &seriesFile{file: file, zstd: enc, csv: csv.NewWriter(enc)}
	return f, f.csv.Write(seriesHeader[:])
}

// AppendSeries adds seconds to series.csv.zst and flushes them: a killed run
// keeps them.
func (r *Run) AppendSeries(seconds []Second) error {
	if r.series == nil {
		f, err := createSeriesFile(r.Dir)
		if err != nil {
			return err
		}
		r.series = f
	}
	for _, s := range seconds {
		if err := r.series.csv.Write(s.fields()); err != nil {
			return fmt.Errorf("writing %s: %w", SeriesFile, err)
		}
	}
	r.series.csv.Flush()
	if err := errors.Join(r.series.csv.Error(), r.series.zstd.Flush()); err != nil {
		return fmt.Errorf("writing %s: %w", SeriesFile, err)
	}
	return nil
}

func (s Second) fields() []string {
	number := func(v float64) string {
		if !isFinite(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	flags := ""
	if s.Flags > 0 {
		flags = strconv.Itoa(s.Flags)
	}
	return []string{
		s.Time.UTC().Format("2006-01-02T15:04:05.000Z"), s.Arm, number(s.Rate), number(s.OriginRequests), number(s.HitRatio),
		number(s.Memory), number(s.CPU), flags, s.Cell,
	}
}

func (f *seriesFile) close() error {
	f.csv.Flush()
	return errors.Join(f.csv.Error(), f.zstd.Close(), f.file.Close())
}
