package record

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Interval is one line of latency.hlog: a metric and group of one block.
type Interval struct {
	Arm   string
	Cell  string    // of a sweep
	Start time.Time // of the block, to the millisecond
	Series
}

// Histograms calls yield with each line of latency.hlog whose metric and group
// are wanted (nil: all), in the order of the blocks, and stops at its first
// error. What is not wanted is not decoded, which is what reading costs. A line
// cut short at the end is left out; a folder without the file has no lines.
func (f *Folder) Histograms(wanted func(metric, group string) bool, yield func(Interval) error) error {
	arms := f.Manifest.arms()
	failed := int64(0) // of the next line
	_, err := f.eachLine(HistogramsFile, maxLinesBytes, func(_ int, line []byte) (err error) {
		if isHeader(line) {
			failed, err = parseFailed(string(line))
			return err
		}
		defer func() { failed = 0 }()
		i, text, err := parseInterval(string(line))
		if err == nil {
			err = checkArm(i.Arm, arms)
		}
		if err != nil || wanted != nil && !wanted(i.Metric, i.Group) {
			return err
		}
		if i.Histogram, err = decode([]byte(text)); err != nil {
			return fmt.Errorf("histogram of %s: %w", tag(i.Arm, i.Cell, i.Series), err)
		}
		i.failed = failed
		return yield(i)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// maxPoolPages bounds the pages of a pool: half a gigabyte. A hundred bytes of
// latency.hlog can be a histogram of two hundred pages.
const maxPoolPages = 1 << 19

// Pool merges the histograms of a run whose metric and group are wanted; nil:
// all.
func (f *Folder) Pool(wanted func(metric, group string) bool) (*Pool, error) {
	var p Pool
	held := 0
	err := f.Histograms(wanted, func(i Interval) error {
		if held += p.add(poolKey{i.Arm, i.Metric, i.Group}, i.Histogram); held > maxPoolPages {
			return errors.New("too many different metrics and groups, which take more than half a gigabyte")
		}
		return nil
	})
	return &p, err
}

// maxFailed bounds the failed requests of a line: sums of them must not overflow.
const maxFailed = 1 << 40

// parseFailed returns the failed requests that a comment tells of, 0 for any other.
func parseFailed(line string) (int64, error) {
	text, is := strings.CutPrefix(line, failedMark)
	if !is {
		return 0, nil
	}
	n, err := strconv.ParseInt(strings.TrimSuffix(text, "]"), 10, 64)
	if err != nil || n < 0 || n > maxFailed {
		return 0, fmt.Errorf("%q, expected %sa number]", line, failedMark)
	}
	return n, nil
}

func isHeader(line []byte) bool {
	return len(line) == 0 || line[0] == '#' || line[0] == '"'
}

// parseInterval reads Tag=arm/metric[/group[/cell]],start,length,max,histogram but for
// the histogram, whose text it returns.
func parseInterval(line string) (i Interval, histogram string, err error) {
	fields := strings.Split(line, ",")
	tag, tagged := strings.CutPrefix(fields[0], "Tag=")
	if !tagged || len(fields) != 5 {
		return i, "", errors.New("expected Tag=…,start,length,max,histogram")
	}
	names := strings.Split(tag, "/")
	if len(names) < 2 || len(names) > 4 {
		return i, "", fmt.Errorf("tag %q, expected arm/metric[/group[/cell]]", tag)
	}
	start, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || !(start >= 0 && start < 1e11) {
		return i, "", fmt.Errorf("start %q is not a number of seconds", fields[1])
	}
	i = Interval{Arm: names[0], Start: time.UnixMilli(int64(start*1000 + 0.5)).UTC()}
	if i.Metric = names[1]; len(names) > 2 {
		i.Group = names[2]
	}
	if len(names) > 3 {
		if i.Cell, err = url.PathUnescape(names[3]); err != nil {
			return i, "", fmt.Errorf("cell %q of the tag: %w", names[3], err)
		}
	}
	return i, fields[4], nil
}
