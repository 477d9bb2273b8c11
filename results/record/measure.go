package record

import (
	"cmp"
	"slices"

	"switchback/results/metric"
)

// Series is the histogram of one metric in one group ("" for all requests), with
// the count of those that failed.
type Series struct {
	Metric string // ttfb, phase.route
	Group  string
	*Histogram
}

// Measurement is what the samples of a block say: histograms of every metric
// and group, and counts.
type Measurement struct {
	Series   []Series // by metric, in the order of first use, then by group
	Requests int
	Failed   int
	Errors   map[string]int // by kind

	OutOfRange int64            // values that no histogram can hold
	Cut        map[string]int64 // of them, by metric
	Malformed  int              // Server-Timing headers that could not be read
	Crowded    int              // phases and cache states beyond the number kept

	failures []failures
}

// failures counts the requests of a group and those that failed.
type failures struct {
	group     string
	n, failed int64
}

// Measure turns the samples of a block's measured part into histograms.
// Sample.Target is an index into labels. end is the end of the drain, in
// nanoseconds since the block's start: a request that never ended counts as
// having lasted until then. Sample.Times says what the instants mean.
func Measure(samples []Sample, labels []Label, end int64) *Measurement {
	m := measurer{labels: labels, end: end, groups: newGroups(labels),
		metrics: metricNames(), phases: map[string]int{}, caches: map[string]int{}}
	m.out.Errors = map[string]int{}
	for i := range samples {
		m.sample(&samples[i])
	}
	m.pages(samples)
	return m.result()
}

// cut counts values of a metric that its histogram could not hold.
func (m *Measurement) cut(metric string, n int64) {
	if n == 0 {
		return
	}
	if m.Cut == nil {
		m.Cut = map[string]int64{}
	}
	m.OutOfRange += n
	m.Cut[metric] += n
}

// Values returns the block's metrics: quantiles that the group's count holds,
// mean and maximum of every histogram, and errors.ratio. Seconds and ratios.
func (m *Measurement) Values() []Value {
	var values []Value
	for _, s := range m.Series {
		values = appendStatistics(values, s, true)
	}
	for _, f := range m.failures {
		values = append(values, Value{Metric: metric.ErrorsRatio, Group: f.group, Value: float64(f.failed) / float64(f.n), N: f.n})
	}
	return values
}

// appendStatistics appends the statistics of s; with heldOnly those alone that
// its count holds.
func appendStatistics(values []Value, s Series, heldOnly bool) []Value {
	for _, st := range Statistics() {
		if heldOnly && !st.Held(s.N()) {
			continue
		}
		values = append(values, Value{Metric: s.Metric + "." + st.Name, Group: s.Group, Value: st.Of(s.Histogram), N: s.N(), Failed: s.Failed()})
	}
	return values
}

// sortSeries orders series by metric and group.
func sortSeries(series []Series) {
	slices.SortFunc(series, func(a, b Series) int {
		return cmp.Or(cmp.Compare(metricPlace(a.Metric), metricPlace(b.Metric)),
			cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Group, b.Group))
	})
}

// metricPlace is the place of a metric in files and tables; phases come last.
func metricPlace(metric string) int {
	if i := slices.Index(metricNames(), metric); i >= 0 {
		return i
	}
	return firstPhase
}
