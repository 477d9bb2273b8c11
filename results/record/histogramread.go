package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// Interval is one line of latency.hlog: a metric and group of one block.
type Interval struct {
	Arm   string
	Start time.Time // of the block, to the millisecond
	Series
}

// Histograms calls yield with each line of latency.hlog, in the order of the
// blocks, and stops at its first error. A line cut short at the end is left
// out; a folder without the file has no lines.
func (f *Folder) Histograms(yield func(Interval) error) error {
	file, err := os.Open(f.path(HistogramsFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("reading run: %w", err)
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err == io.EOF {
			return nil
		}
		if err == nil && !isHeader(line) {
			err = yieldInterval(string(line), yield)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", f.path(HistogramsFile), n, err)
		}
	}
}

// Pool merges all histograms of a run.
func (f *Folder) Pool() (*Pool, error) {
	var p Pool
	err := f.Histograms(func(i Interval) error {
		p.add(poolKey{i.Arm, i.Metric, i.Group}, i.Histogram)
		return nil
	})
	return &p, err
}

func isHeader(line []byte) bool {
	return len(line) == 0 || line[0] == '#' || line[0] == '"'
}

func yieldInterval(line string, yield func(Interval) error) error {
	i, err := parseInterval(line)
	if err != nil {
		return err
	}
	return yield(i)
}

// parseInterval reads Tag=arm/metric[/group],start,length,max,histogram.
func parseInterval(line string) (Interval, error) {
	fields := strings.Split(line, ",")
	tag, tagged := strings.CutPrefix(fields[0], "Tag=")
	if !tagged || len(fields) != 5 {
		return Interval{}, errors.New("expected Tag=…,start,length,max,histogram")
	}
	names := strings.SplitN(tag, "/", 3)
	if len(names) < 2 {
		return Interval{}, fmt.Errorf("tag %q, expected arm/metric[/group]", tag)
	}
	start, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || !(start >= 0 && start < 1e11) {
		return Interval{}, fmt.Errorf("start %q is not a number of seconds", fields[1])
	}
	h, err := decode([]byte(fields[4]))
	if err != nil {
		return Interval{}, fmt.Errorf("histogram of %s: %w", tag, err)
	}
	i := Interval{Arm: names[0], Start: time.UnixMilli(int64(start*1000 + 0.5)).UTC()}
	i.Metric, i.Histogram = names[1], h
	if len(names) == 3 {
		i.Group = names[2]
	}
	return i, nil
}
