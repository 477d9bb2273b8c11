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
	file *os.File
	buf  *bufio.Writer
	log  *hdr.HistogramLogWriter
}

func createHistogramLog(dir string, start time.Time) (*histogramLog, error) {
	file, err := openAppend(dir, HistogramsFile)
	if err != nil {
		return nil, err
	}
	l := &histogramLog{file: file, buf: bufio.NewWriter(file)}
	l.log = hdr.NewHistogramLogWriter(l.buf)
	for _, write := range []func() error{
		l.log.OutputLogFormatVersion,
		func() error { return l.log.OutputComment("[values in ns; Tag=arm/metric[/group]]") },
		func() error { return l.log.OutputStartTime(start.UnixMilli()) },
		l.log.OutputLegend,
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
	end := b.Start.Add(time.Duration(b.Length * float64(time.Second)))
	for _, s := range m.Series {
		counts := s.packed()
		counts.SetTag(tag(b.Arm, s))
		counts.SetStartTimeMs(b.Start.UnixMilli())
		counts.SetEndTimeMs(end.UnixMilli())
		if err := r.histograms.log.OutputIntervalPackedHistogram(counts); err != nil {
			return fmt.Errorf("writing %s: %w", HistogramsFile, err)
		}
	}
	if err := r.histograms.buf.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", HistogramsFile, err)
	}
	return nil
}

// packed returns the counts in the library's form.
func (h *Histogram) packed() *hdr.PackedHistogram {
	p := hdr.NewPacked(LowestValue, HighestValue, SignificantDigits)
	h.each(func(low, _, count int64) bool {
		_ = p.RecordValues(low, count) // fails outside the range alone
		return true
	})
	return p
}

// unpacked returns the counts of the library's form; counts outside the range
// are counted as such.
func unpacked(p *hdr.PackedHistogram) *Histogram {
	h := NewHistogram()
	p.ForEachBucket(func(value, count int64) bool {
		if value > HighestValue {
			h.outOfRange += count
		}
		h.add(min(value, HighestValue), count)
		return true
	})
	return h
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
