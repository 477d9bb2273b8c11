package record

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"time"
	"unique"

	"github.com/klauspost/compress/zstd"

	"switchback/regular"
)

// maxSeconds bounds the lines of series.csv.zst that are read: eleven days.
const maxSeconds = 1_000_000

// Seconds reads series.csv.zst. The end of a file that was cut short is left
// out; a folder without the file has no seconds.
func (f *Folder) Seconds() ([]Second, error) {
	file, err := regular.Open(f.path(SeriesFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading run: %w", err)
	}
	defer file.Close()
	dec, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.path(SeriesFile), err)
	}
	defer dec.Close()
	seconds, line, err := readSeconds(dec)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%s:%d: %w", f.path(SeriesFile), line, err)
	}
	return seconds, nil
}

// readSeconds reads lines of CSV under their header, and returns the number of
// the last line with the first error.
func readSeconds(r io.Reader) (seconds []Second, line int, err error) {
	in := csv.NewReader(&boundedLines{from: r, line: maxSecondBytes, whole: maxSeriesBytes})
	in.ReuseRecord = true
	for line = 1; ; line++ {
		fields, err := in.Read()
		switch {
		case err == io.EOF:
			return seconds, line, nil
		case err != nil:
			return seconds, line, err
		case line == 1 && !slices.Equal(fields, seriesHeader[:]) && !slices.Equal(fields, seriesHeader[:seriesBeforeCells]):
			return nil, line, fmt.Errorf("columns %q, expected %q", fields, seriesHeader)
		case line == 1:
			continue
		case line > maxSeconds:
			return nil, line, fmt.Errorf("more than %d seconds", maxSeconds)
		}
		s, err := parseSecond(fields)
		if err != nil {
			return nil, line, err
		}
		seconds = append(seconds, s)
	}
}

func parseSecond(fields []string) (Second, error) {
	at, err := time.Parse(time.RFC3339, fields[0])
	if err != nil {
		return Second{}, fmt.Errorf("time %q: expected RFC 3339", fields[0])
	}
	s := Second{Time: at, Arm: unique.Make(fields[1]).Value()} // not the whole line's memory
	for i, to := range []*float64{&s.Rate, &s.OriginRequests, &s.HitRatio, &s.Memory, &s.CPU} {
		if *to, err = parseNumber(fields[2+i]); err != nil {
			return Second{}, fmt.Errorf("%s: %w", seriesHeader[2+i], err)
		}
	}
	if len(fields) > seriesBeforeCells {
		s.Cell = unique.Make(fields[seriesBeforeCells]).Value()
	}
	if text := fields[seriesBeforeCells-1]; text != "" {
		if s.Flags, err = strconv.Atoi(text); err != nil || s.Flags < 0 {
			return Second{}, fmt.Errorf("flags %q: expected a version, a whole number from 0", text)
		}
	}
	return s, nil
}

// parseNumber reads a number; an empty field is NaN.
func parseNumber(text string) (float64, error) {
	if text == "" {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !isFinite(v) {
		return 0, fmt.Errorf("expected a number, got %q", text)
	}
	return v, nil
}
