package attack

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"switchback/harness/schedule"
	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// Report is what a load measured, in seconds.
type Report struct {
	Schema      string           `json:"schema"` // switchback.attack/1
	URL         string           `json:"url"`
	Engine      string           `json:"engine"`
	Arrivals    string           `json:"arrivals"`
	ClosedLoop  bool             `json:"closed_loop,omitempty"` // requests were due when a connection was free
	Seconds     float64          `json:"seconds"`               // from the start to the end of the last request
	Requests    int64            `json:"requests"`
	Errors      map[string]int64 `json:"errors"`                // by kind
	DialErrors  map[string]int   `json:"dial_errors,omitempty"` // those of kind dial, by address and reason
	Limits      map[string]int   `json:"limits,omitempty"`      // those of kind limit, by what the generator ran out of
	Success     float64          `json:"success"`               // share of the requests with a right answer
	Reasons     []Reason         `json:"error_reasons,omitempty"`
	StatusCodes map[string]int64 `json:"status_codes"` // of all answers, by code
	Protocols   map[string]int64 `json:"protocols"`    // of all answers, by version of HTTP
	Bytes       Bytes            `json:"bytes"`
	Rate        Rate             `json:"rate"`
	TTFB        Quantiles        `json:"ttfb"`
	ServiceTTFB Quantiles        `json:"service_ttfb"`
	Latency     Quantiles        `json:"latency"`
	Lateness    Quantiles        `json:"lateness"`
	Blocked     Quantiles        `json:"blocked"`

	Spread []Bucket `json:"ttfb_buckets,omitempty"` // of TTFB

	Connections   Connections        `json:"connections"`
	Schedule      *schedule.Fidelity `json:"schedule,omitempty"` // of an open loop
	Generator     Generator          `json:"generator"`
	Thresholds    []Judged           `json:"thresholds,omitempty"`
	WarmupSeconds float64            `json:"warmup_seconds,omitempty"`
	OutOfRange    int64              `json:"out_of_range,omitempty"` // values that no histogram can hold, counted at its end
	Notes         []string           `json:"notes,omitempty"`
}

// Rate holds requests per second.
type Rate struct {
	Asked float64 `json:"asked,omitempty"` // none in a closed loop
	Kept  float64 `json:"kept"`            // let go, or, in a closed loop, answered
}

// Quantiles sums up one metric. Requests that failed rank above all others: a
// quantile among them is +Inf, null in JSON. Mean and maximum are those of the
// answered requests, +Inf without any.
type Quantiles struct {
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`

	Failed int64 `json:"failed,omitempty"` // requests without a right answer
}

// MarshalJSON writes what no answer is at as null.
func (q Quantiles) MarshalJSON() ([]byte, error) {
	var out struct {
		P50  *float64 `json:"p50"`
		P90  *float64 `json:"p90"`
		P95  *float64 `json:"p95"`
		P99  *float64 `json:"p99"`
		P999 *float64 `json:"p999"`
		Mean *float64 `json:"mean"`
		Max  *float64 `json:"max"`

		Failed int64 `json:"failed,omitempty"`
	}
	out.P50, out.P90, out.P95, out.P99, out.P999 = answered(q.P50), answered(q.P90), answered(q.P95), answered(q.P99), answered(q.P999)
	out.Mean, out.Max, out.Failed = answered(q.Mean), answered(q.Max), q.Failed
	return json.Marshal(out)
}

// Connections counts how requests got theirs.
type Connections struct {
	Dials  int `json:"dials"`  // connections that were opened, or tried to
	Opened int `json:"opened"` // of these
	Reused int `json:"reused"` // requests on a connection that had served another
}

// Generator is what the load cost this process.
type Generator struct {
	CPUPerRequest float64 `json:"cpu_per_request"` // seconds, pacing included
	Spin          float64 `json:"spin"`            // seconds spent spinning until due
}

func (a *Attack) report(m measured) *Report {
	t := m.counted
	r := &Report{
		Schema: "switchback.attack/1", URL: a.settings.URL, Engine: a.settings.Engine, Arrivals: a.law.String(),
		ClosedLoop: a.law.IsClosed(), Seconds: m.elapsed.Seconds(), Requests: t.requests, Errors: map[string]int64{},
		StatusCodes: map[string]int64{}, Protocols: map[string]int64{}, Spread: spread(t.histograms[record.TTFB].Answered()),
		Connections: Connections{m.counts.Dials, m.counts.Opened, m.counts.Reused},
		Generator:   Generator{Spin: m.counts.Spin.Seconds(), CPUPerRequest: m.cpu.Seconds() / float64(max(t.requests, 1))},
	}
	r.Notes = append(r.Notes, a.notes...)
	for kind, n := range t.errors {
		if n > 0 && record.ErrorKind(kind) != record.OK {
			r.Errors[record.ErrorKind(kind).String()] = n
		}
	}
	for number, into := range r.metrics() {
		*into = quantiles(t.histograms[number])
	}
	r.DialErrors, r.Limits = m.counts.DialErrors, m.counts.Limits
	r.outcomes(m.outcomes)
	r.noteLimits()
	r.noteCut(t)
	r.noteRedirects()
	r.noteFailed()
	a.rate(r, t, m.planned)
	if !r.ClosedLoop {
		kept := t.fidelity()
		r.Schedule = &kept
		r.note()
	}
	r.judge(a.settings.Thresholds)
	return r
}

// noteLimits says what the generator ran out of.
func (r *Report) noteLimits() {
	for _, limit := range slices.Sorted(maps.Keys(r.Limits)) {
		r.Notes = append(r.Notes, record.LimitNote(limit, r.Limits[limit]))
	}
}

// Answered returns how many requests got a right answer.
func (r *Report) Answered() int64 {
	n := r.Requests
	for _, failed := range r.Errors {
		n -= failed
	}
	return n
}

// metrics returns the metrics of the report, by number.
func (r *Report) metrics() [record.RequestMetrics]*Quantiles {
	return [record.RequestMetrics]*Quantiles{&r.TTFB, &r.ServiceTTFB, &r.Latency, &r.Lateness, &r.Blocked}
}

// rate sets the rates, over the planned length or until the load was stopped. A
// generator that falls behind lets its last request go after the planned end.
func (a *Attack) rate(r *Report, t *tally, planned time.Duration) {
	r.Rate.Asked = a.settings.Rate
	length := max(t.lastReleased, planned)
	if r.ClosedLoop {
		length = t.lastDone
	}
	if length > 0 {
		r.Rate.Kept = float64(t.requests) / length.Seconds()
	}
}

func quantiles(h *record.Histogram) Quantiles {
	at := h.Statistic
	return Quantiles{at("p50"), at("p90"), at("p95"), at("p99"), at("p999"), at("mean"), at("max"), h.Failed()}
}

// noteCut says which values the histograms could not hold.
func (r *Report) noteCut(t *tally) {
	for number, h := range t.histograms {
		if n := h.OutOfRange(); n > 0 {
			r.OutOfRange += n
			r.Notes = append(r.Notes, fmt.Sprintf("%d values of %s lie outside the range of the histogram and count at its end", n, metric.OfRequests()[number]))
		}
	}
}

// noteRedirects names redirects: where a target expects no status, they count as right.
func (r *Report) noteRedirects() {
	redirects := int64(0)
	for code, n := range r.StatusCodes {
		if code[0] == '3' {
			redirects += n
		}
	}
	if 100*redirects > r.Requests {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d answers were redirects (3xx), which are not followed", redirects, r.Requests))
	}
}

// noteFailed says what the figures cover where requests failed.
func (r *Report) noteFailed() {
	if n := r.Latency.Failed; n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s of %d without a right answer rank above all others in ttfb, service_ttfb and latency; mean and max are those of the others",
			units.Count(int(n), "request"), r.Requests))
	}
}

// note says what makes the measurement doubtful; the generator's faults alone.
func (r *Report) note() {
	if note := r.Schedule.Note(); note != "" {
		r.Notes = append(r.Notes, note)
	}
	bound := 0.001
	if !math.IsInf(r.TTFB.P50, 1) {
		bound = max(bound, r.TTFB.P50/10)
	}
	if r.Lateness.P99 > bound {
		r.Notes = append(r.Notes, fmt.Sprintf("the generator was late: lateness p99 is %s, above %s", units.Seconds(r.Lateness.P99), units.Seconds(bound)))
	}
}
