package gate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
)

// Calibration is what A/A runs, in which both arms are the same, showed on one
// kind of machine (schema switchback.calibration/2).
type Calibration struct {
	Schema      string             `json:"schema"`
	MachineKind record.MachineKind `json:"machine_kind"`
	Experiment  string             `json:"experiment"`
	Runs        []string           `json:"runs"`
	Time        time.Time          `json:"time"`   // end of the last run
	Length      float64            `json:"length"` // seconds of a block
	GatePairs   int                `json:"gate_pairs"`
	Alpha       float64            `json:"alpha"`
	Margin      float64            `json:"margin"`

	Gates  int     `json:"gates"`   // as the blocks were run: every stretch of GatePairs pairs, all metrics together by max-T
	Alarms int     `json:"alarms"`  // of them false alarms
	AtMost float64 `json:"at_most"` // upper Clopper–Pearson bound of their share, at 95 %

	Metrics []CalibratedMetric `json:"metrics"`
}

// CalibratedMetric is the noise of one metric.
type CalibratedMetric struct {
	Metric string  `json:"metric"`
	Group  string  `json:"group,omitempty"`
	IsDiff bool    `json:"is_diff,omitempty"`
	Sigma  float64 `json:"sigma"` // spread of the log ratios, or differences, of pairs
	MDE    float64 `json:"mde"`   // beyond the margin with GatePairs pairs; relative, or in the metric's unit
	Gates  int     `json:"gates"` // with the labels of the arms drawn again at random
	Alarms int     `json:"alarms"`
	AtMost float64 `json:"at_most"`
}

// CalibrationOptions set a calibration; the zero value is the default.
type CalibrationOptions struct {
	Alpha        float64   // default 0.05
	Margin       float64   // relative; default 0. Metrics that can be zero are judged at 0
	GatePairs    int       // pairs of a gate; default 20
	Relabellings int       // for each metric; default 2000
	Subjects     []Subject // what is compared; default ttfb.p50, p90, p95 and p99 of all requests
	Seed         uint64
}

// Subject is a metric of a group of requests; of all when Group is empty.
type Subject struct{ Metric, Group string }

func (o CalibrationOptions) withDefaults() CalibrationOptions {
	o.Alpha = cmp.Or(o.Alpha, DefaultAlpha)
	o.GatePairs = cmp.Or(o.GatePairs, 20)
	o.Relabellings = cmp.Or(o.Relabellings, 2000)
	if len(o.Subjects) == 0 {
		for _, name := range metric.In(metric.Calibrated) {
			o.Subjects = append(o.Subjects, Subject{Metric: name})
		}
	}
	return o
}

// calibrated is one metric with its value for each pair of all runs.
type calibrated struct {
	metric.Metric
	group  string
	values [][]float64 // by run, then pair
	margin float64
}

// Calibrate measures false alarms, spread and smallest effect from A/A runs on
// one kind of machine. It needs at least one run with GatePairs pairs.
func Calibrate(runs []Run, o CalibrationOptions) (Calibration, error) {
	o = o.withDefaults()
	c := Calibration{Schema: CalibrationSchema, GatePairs: o.GatePairs, Alpha: o.Alpha, Margin: o.Margin}
	metrics, err := c.collect(runs, o)
	if err != nil {
		return Calibration{}, fmt.Errorf("calibrating: %w", err)
	}
	c.gates(metrics, o)
	draw := rand.New(rand.NewPCG(o.Seed, 1))
	for _, m := range metrics {
		c.Metrics = append(c.Metrics, m.calibrate(o, draw))
	}
	return c, nil
}

// collect reads the pairs of every metric, and checks that the runs belong
// together.
func (c *Calibration) collect(runs []Run, o CalibrationOptions) ([]calibrated, error) {
	metrics := make([]calibrated, len(o.Subjects))
	for i, subject := range o.Subjects {
		m, ok := metric.Lookup(subject.Metric)
		if !ok {
			return nil, fmt.Errorf("unknown metric %q", subject.Metric)
		}
		metrics[i] = calibrated{Metric: m, group: subject.Group}
		if m.Kind == metric.Ratio {
			metrics[i].margin = math.Log1p(o.Margin)
		}
	}
	for i, run := range runs {
		if i > 0 && (run.Manifest.MachineKind != c.MachineKind || run.Manifest.Experiment != c.Experiment) {
			return nil, errors.New("the runs come from different kinds of machine or experiments")
		}
		c.MachineKind, c.Experiment, c.Time = run.Manifest.MachineKind, run.Manifest.Experiment, run.Manifest.End
		c.Runs = append(c.Runs, run.Manifest.Run)
		if err := c.addRun(run, metrics); err != nil {
			return nil, fmt.Errorf("run %s: %w", run.Manifest.Run, err)
		}
	}
	for _, m := range metrics {
		if pairs := longest(m.values); pairs < o.GatePairs {
			return nil, fmt.Errorf("%s: a gate has %d pairs, the longest run %d", name(m.Name, m.group), o.GatePairs, pairs)
		}
	}
	return metrics, nil
}

func longest(values [][]float64) int {
	n := 0
	for _, v := range values {
		n = max(n, len(v))
	}
	return n
}

func (c *Calibration) addRun(run Run, metrics []calibrated) error {
	t, err := newTable(run.Blocks)
	if err != nil {
		return err
	}
	if len(t.arms) != 2 {
		return fmt.Errorf("an A/A run has two arms, this one %d", len(t.arms))
	}
	if t.launches > 1 && t.launches < len(t.pairs) {
		return fmt.Errorf("%d launches for %d pairs: an A/A run has a launch for each pair, or one", t.launches, len(t.pairs))
	}
	c.Length = run.Blocks[0].Length
	for i := range metrics {
		m := &metrics[i]
		p := t.of(series{m.Name, m.group}, m.Kind, t.arms[0], t.arms[1], nil)
		d := p.ratios()
		if m.Kind == metric.Diff {
			d = p.differences()
		}
		if slices.ContainsFunc(d, func(v float64) bool { return math.IsInf(stats.Endless(v), 0) }) {
			return fmt.Errorf("%s: a block has no answer at it: both arms of an A/A run must answer", name(m.Name, m.group))
		}
		m.values = append(m.values, d)
	}
	return nil
}

// gates judges the runs as they were: each stretch of GatePairs pairs once.
func (c *Calibration) gates(metrics []calibrated, o CalibrationOptions) {
	for run := range metrics[0].values {
		for from := 0; from+o.GatePairs <= len(metrics[0].values[run]); from += o.GatePairs {
			var family []stats.Hypothesis
			for _, m := range metrics {
				if from+o.GatePairs <= len(m.values[run]) {
					stretch := m.values[run][from : from+o.GatePairs]
					family = append(family, stats.Hypothesis{Scores: stats.RankScores(stretch, m.margin, nil), Alpha: o.Alpha})
				}
			}
			c.Gates++
			for _, r := range stats.MaxT(family, o.Seed+uint64(c.Gates)) {
				if r.Adjusted <= o.Alpha {
					c.Alarms++
					break
				}
			}
		}
	}
	_, c.AtMost = stats.ClopperPearson(c.Alarms, c.Gates, 0.95)
}

// calibrate draws the labels of a stretch of pairs again and again: under "the
// arms are the same" each drawing is as likely as the run itself was.
func (m calibrated) calibrate(o CalibrationOptions, draw *rand.Rand) CalibratedMetric {
	var all []float64
	var long [][]float64
	for _, v := range m.values {
		all = append(all, v...)
		if len(v) >= o.GatePairs {
			long = append(long, v)
		}
	}
	out := CalibratedMetric{Metric: m.Name, Group: m.group, IsDiff: m.Kind == metric.Diff, Sigma: stats.Spread(all), Gates: o.Relabellings}
	out.MDE = stats.Detectable(out.Sigma, o.GatePairs, o.Alpha)
	if m.Kind == metric.Ratio {
		out.MDE = stats.MDE(o.Margin, out.Sigma, o.GatePairs, o.Alpha)
	}
	drawn := make([]float64, o.GatePairs)
	for range o.Relabellings {
		v := long[draw.IntN(len(long))]
		from := draw.IntN(len(v) - o.GatePairs + 1)
		for i := range drawn {
			drawn[i] = v[from+i]
			if draw.Uint64()&1 == 1 {
				drawn[i] = -drawn[i]
			}
		}
		if stats.RankScores(drawn, m.margin, nil).P() <= o.Alpha {
			out.Alarms++
		}
	}
	_, out.AtMost = stats.ClopperPearson(out.Alarms, out.Gates, 0.95)
	return out
}

// tooManyAlarms says whether even the lower bound of the share of false
// alarms, at 95 %, is above the alpha that they were counted at.
func (c *Calibration) tooManyAlarms() bool {
	if c == nil || c.Gates == 0 {
		return false
	}
	low, _ := stats.ClopperPearson(c.Alarms, c.Gates, 0.95)
	return low > c.Alpha
}

// sigma returns the spread of a ratio metric for blocks of a length: that of
// the calibration, shrinking with the root of the length.
func (c *Calibration) sigma(metric, group string, length float64) (float64, bool) {
	if c == nil || length <= 0 {
		return 0, false
	}
	for _, m := range c.Metrics {
		if m.Metric == metric && m.Group == group && !m.IsDiff && m.Sigma > 0 {
			return m.Sigma * math.Sqrt(c.Length/length), true
		}
	}
	return 0, false
}
