package attack

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// Judged is what became of a threshold.
type Judged struct {
	Threshold string  `json:"threshold"`
	Value     float64 `json:"value"` // +Inf, null in JSON, for no answer
	Broken    bool    `json:"broken"`

	unit string
}

// MarshalJSON writes no answer as null.
func (j Judged) MarshalJSON() ([]byte, error) {
	type plain Judged
	return json.Marshal(struct {
		plain
		Value *float64 `json:"value"`
	}{plain(j), answered(j.Value)})
}

// answered returns a value for JSON, nil for no answer.
func answered(v float64) *float64 {
	if math.IsInf(v, 1) {
		return nil
	}
	return &v
}

// checkThresholds refuses metrics that a load has no value of.
func (a *Attack) checkThresholds() error {
	var none Report
	for _, t := range a.settings.Thresholds {
		if _, ok := none.value(t.Metric); !ok {
			return fmt.Errorf("threshold %s: a load has no %s: want a statistic of %s, such as %s, or %s",
				t, t.Metric, strings.Join(metric.OfRequests(), ", "), metric.TTFB+metric.P99, metric.ErrorsRatio)
		}
	}
	return nil
}

// judge compares the thresholds with what was measured: nothing, if no request
// had a right answer.
func (r *Report) judge(thresholds []gate.Threshold) {
	if r.Answered() == 0 {
		return
	}
	for _, t := range thresholds {
		value, _ := r.value(t.Metric)
		m, _ := metric.Lookup(t.Metric)
		r.Thresholds = append(r.Thresholds, Judged{Threshold: t.String(), Value: value, Broken: !t.Kept(value), unit: m.Unit})
		r.noteFew(t.Metric)
	}
}

// noteFew says that too few requests were sent for a quantile.
func (r *Report) noteFew(name string) {
	for _, s := range record.Statistics() {
		if strings.HasSuffix(name, "."+s.Name) && !s.Held(r.Requests) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s of %s rests on fewer than 5 above it: send more", name, units.Count(int(r.Requests), "request")))
		}
	}
}

// value returns the value of a metric of the report.
func (r *Report) value(name string) (float64, bool) {
	if name == metric.ErrorsRatio {
		return float64(r.Requests-r.Answered()) / float64(max(r.Requests, 1)), true
	}
	for number, q := range r.metrics() {
		family := metric.OfRequests()[number]
		for statistic, value := range map[string]float64{metric.P50: q.P50, metric.P90: q.P90, metric.P95: q.P95,
			metric.P99: q.P99, metric.P999: q.P999, metric.Mean: q.Mean, metric.Max: q.Max} {
			if name == family+statistic {
				return value, true
			}
		}
	}
	return 0, false
}

// Broken returns how many thresholds were.
func (r *Report) Broken() (n int) {
	for _, t := range r.Thresholds {
		if t.Broken {
			n++
		}
	}
	return n
}

// writeThresholds says which were kept.
func (r *Report) writeThresholds(w io.Writer) {
	for _, t := range r.Thresholds {
		verdict := "kept"
		if t.Broken {
			verdict = "BROKEN"
		}
		found := "it is " + units.Number(t.Value, t.unit)
		if math.IsInf(t.Value, 0) {
			found = "the request at that rank got no right answer"
		}
		fmt.Fprintf(w, "threshold %s: %s, %s\n", t.Threshold, verdict, found)
	}
}
