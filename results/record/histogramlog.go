package record

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// HistogramLog writes histograms in the HdrHistogram log format, version 1.3 with
// V2 histograms: times are absolute, the column of maxima is in ms.
type HistogramLog struct {
	file    *os.File
	buf     *bufio.Writer
	encoder encoder
	line    []byte // scratch
}

// NewHistogramLog begins a log in a file with its head; tags says what the tags of
// its lines are.
func NewHistogramLog(file *os.File, tags string, start time.Time) (*HistogramLog, error) {
	l := &HistogramLog{file: file, buf: bufio.NewWriter(file)}
	log := hdr.NewHistogramLogWriter(l.buf)
	err := errors.Join(log.OutputLogFormatVersion(), log.OutputComment("[values in ns; Tag="+tags+"]"),
		log.OutputStartTime(start.UnixMilli()), log.OutputLegend())
	return l, err
}

// failedMark begins the comment that gives the requests of the next line that
// failed. The histogram itself holds the answered ones.
const failedMark = "#[Failed: "

// Interval writes a line: tag, start and length in seconds, maximum in
// milliseconds, counts. A comment before it tells of requests that failed.
func (l *HistogramLog) Interval(tag string, start time.Time, length float64, h *Histogram) error {
	at := float64(start.UnixMilli()) / 1000
	l.line = l.line[:0]
	if h.failed > 0 {
		l.line = fmt.Appendf(l.line, "%s%d]\n", failedMark, h.failed)
	}
	l.line = fmt.Appendf(l.line, "Tag=%s,%.3f,%.3f,%.6f,", tag, at, length, h.Answered().Statistic("max")*1000)
	line, err := l.encoder.append(l.line, h)
	if err != nil {
		return err
	}
	l.line = append(line, '\n')
	_, err = l.buf.Write(l.line)
	return err
}

// Close writes what is left and closes the file.
func (l *HistogramLog) Close() error { return errors.Join(l.buf.Flush(), l.file.Close()) }

// AppendHistograms adds the histograms of a block to latency.hlog: one
// interval line for each metric and group, at the block's start and length. Its
// tag is arm/metric[/group], and of a cell of a sweep arm/metric/[group]/cell.
func (r *Run) AppendHistograms(b Block, m *Measurement) error {
	if err := r.appendHistograms(b, m); err != nil {
		return fmt.Errorf("writing %s: %w", HistogramsFile, err)
	}
	return nil
}

func (r *Run) appendHistograms(b Block, m *Measurement) error {
	if r.histograms == nil {
		file, err := openAppend(r.Dir, HistogramsFile)
		if err != nil {
			return err
		}
		if r.histograms, err = NewHistogramLog(file, "arm/metric[/group[/cell]]", b.Start); err != nil {
			return err
		}
	}
	for _, s := range m.Series {
		if err := r.histograms.Interval(tag(b.Arm, b.Cell, s), b.Start, b.Length, s.Histogram); err != nil {
			return err
		}
	}
	return r.histograms.buf.Flush()
}

// tag names a line. A comma ends a tag and a slash its part, so that those of a
// cell's name are escaped, as in a URL.
func tag(arm, cell string, s Series) string {
	text := arm + "/" + s.Metric
	if s.Group != "" || cell != "" {
		text += "/" + s.Group
	}
	if cell != "" {
		text += "/" + url.PathEscape(cell)
	}
	return text
}
