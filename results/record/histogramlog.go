package record

import (
	"bufio"
	"fmt"
	"os"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// histogramLog writes latency.hlog in the HdrHistogram log format, version
// 1.3 with V2 histograms: times are absolute, the column of maxima is in ms.
type histogramLog struct {
	file    *os.File
	buf     *bufio.Writer
	encoder encoder
	line    []byte // scratch
}

func createHistogramLog(dir string, start time.Time) (*histogramLog, error) {
	file, err := openAppend(dir, HistogramsFile)
	if err != nil {
		return nil, err
	}
	l := &histogramLog{file: file, buf: bufio.NewWriter(file)}
	log := hdr.NewHistogramLogWriter(l.buf)
	for _, write := range []func() error{
		log.OutputLogFormatVersion,
		func() error { return log.OutputComment("[values in ns; Tag=arm/metric[/group]]") },
		func() error { return log.OutputStartTime(start.UnixMilli()) },
		log.OutputLegend,
	} {
		if err := write(); err != nil {
			return nil, fmt.Errorf("writing %s: %w", HistogramsFile, err)
		}
	}
	return l, nil
}

// AppendHistograms adds the histograms of a block to latency.hlog: one
// interval line for each metric and group, tagged arm/metric[/group], at the
// block's start and length.
func (r *Run) AppendHistograms(b Block, m *Measurement) error {
	if r.histograms == nil {
		l, err := createHistogramLog(r.Dir, b.Start)
		if err != nil {
			return err
		}
		r.histograms = l
	}
	for _, s := range m.Series {
		if err := r.histograms.interval(b, s); err != nil {
			return fmt.Errorf("writing %s: %w", HistogramsFile, err)
		}
	}
	if err := r.histograms.buf.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", HistogramsFile, err)
	}
	return nil
}

// interval writes a line: tag, start and length in seconds, maximum in
// milliseconds, counts.
func (l *histogramLog) interval(b Block, s Series) error {
	start := float64(b.Start.UnixMilli()) / 1000
	l.line = fmt.Appendf(l.line[:0], "Tag=%s,%.3f,%.3f,%.6f,", tag(b.Arm, s), start, b.Length, s.Statistic("max")*1000)
	line, err := l.encoder.append(l.line, s.Histogram)
	if err != nil {
		return err
	}
	l.line = append(line, '\n')
	_, err = l.buf.Write(l.line)
	return err
}

func tag(arm string, s Series) string {
	if s.Group == "" {
		return arm + "/" + s.Metric
	}
	return arm + "/" + s.Metric + "/" + s.Group
}

func (l *histogramLog) close() error {
	if err := l.buf.Flush(); err != nil {
		l.file.Close()
		return err
	}
	return l.file.Close()
}
