package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"switchback/results/metric"
	"switchback/results/record"
)

// The files of a folder written by Settings.Out.
const (
	ReportFile     = "attack.json"  // the report
	HistogramsFile = "latency.hlog" // HdrHistogram log, one interval line for each metric, in ns
	VegetaFile     = "results.gob"  // vegeta's own encoding, for `vegeta report` and `vegeta plot`
)

// out writes the folder; nil writes nothing.
type out struct {
	dir    string
	vegeta *vegetaResults
}

func (a *Attack) openOut() (*out, error) {
	if a.settings.Out == "" {
		return nil, nil
	}
	if err := os.Mkdir(a.settings.Out, 0o777); err != nil {
		return nil, err
	}
	results, err := a.createVegeta(filepath.Join(a.settings.Out, VegetaFile))
	if err != nil {
		return nil, err
	}
	return &out{dir: a.settings.Out, vegeta: results}, nil
}

func (o *out) begin(start time.Time) {
	if o != nil {
		o.vegeta.begin(start)
	}
}

func (o *out) add(s *record.Sample) {
	if o != nil {
		o.vegeta.add(s)
	}
}

// abandon ends a folder for which nothing was measured.
func (o *out) abandon() {
	if o != nil {
		_ = o.vegeta.close() // its error would hide the reason
	}
}

// finish writes what is left to write.
func (o *out) finish(start time.Time, elapsed time.Duration, t *tally, r *Report) error {
	if o == nil {
		return nil
	}
	return errors.Join(o.vegeta.close(), o.writeHistograms(start, elapsed, t), o.writeReport(r))
}

func (o *out) writeReport(r *Report) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.dir, ReportFile), append(text, '\n'), 0o666)
}

func (o *out) writeHistograms(start time.Time, elapsed time.Duration, t *tally) error {
	file, err := os.Create(filepath.Join(o.dir, HistogramsFile))
	if err != nil {
		return err
	}
	log, err := record.NewHistogramLog(file, "metric", start)
	for number, h := range t.histograms {
		err = errors.Join(err, log.Interval(metric.OfRequests()[number], start, elapsed.Seconds(), h))
	}
	if err := errors.Join(err, log.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", HistogramsFile, err)
	}
	return nil
}
