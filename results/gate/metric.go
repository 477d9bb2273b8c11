package gate

import (
	"slices"
	"strings"
)

// Kind says how two values of a metric are compared.
type Kind uint8

// A Ratio metric is never zero and is compared by the logarithm of the ratio;
// a Diff metric can be zero and is compared by the plain difference.
const (
	Ratio Kind = iota
	Diff
)

// Metric describes one metric name.
type Metric struct {
	Name        string
	Unit        string  // s, bytes, ratio, s/request, 1/1000, bytes/request, count
	Kind        Kind    // Ratio or Diff
	LowerBetter bool    // a rise is worse; false for hit ratios
	PerLaunch   bool    // one value a launch, not a block
	Quantile    float64 // 0.5 for p50, 1 for max; 0 when it is no quantile
}

// StallMetric is the name under which the companion test for stalls is judged.
const StallMetric = "stalls"

// catalogue lists the metrics that are not taken from a distribution of times.
func catalogue() []Metric {
	return []Metric{
		{Name: "errors.ratio", Unit: "ratio", Kind: Diff, LowerBetter: true},
		{Name: "edge.cpu", Unit: "s/request", LowerBetter: true},
		{Name: "edge.memory.peak", Unit: "bytes", LowerBetter: true, PerLaunch: true},
		{Name: "edge.memory.mean", Unit: "bytes", LowerBetter: true, PerLaunch: true},
		{Name: "edge.memory.pss", Unit: "bytes", LowerBetter: true, PerLaunch: true},
		{Name: "edge.startup", Unit: "s", LowerBetter: true, PerLaunch: true},
		{Name: "origin.requests", Unit: "1/1000", Kind: Diff, LowerBetter: true},
		{Name: "origin.bytes", Unit: "bytes/request", Kind: Diff, LowerBetter: true},
		{Name: "kv.lru.hit_ratio", Unit: "ratio", Kind: Diff},
		{Name: "kv.lru.evictions", Unit: "1/1000", Kind: Diff, LowerBetter: true},
		{Name: "kv.neighbours.hit_ratio", Unit: "ratio", Kind: Diff},
		{Name: "kv.read.bytes", Unit: "bytes/request", Kind: Diff, LowerBetter: true},
		{Name: "kv.disk.bytes", Unit: "bytes", LowerBetter: true, PerLaunch: true},
		{Name: "filter.bytes", Unit: "bytes", LowerBetter: true, PerLaunch: true},
		{Name: "filter.false_positives", Unit: "ratio", Kind: Diff, LowerBetter: true},
		{Name: "ring.bytes", Unit: "bytes", LowerBetter: true, PerLaunch: true},
		{Name: "ring.build", Unit: "s", LowerBetter: true, PerLaunch: true},
		{Name: "cache.hit_ratio", Unit: "ratio", Kind: Diff},
		{Name: "change.took", Unit: "s", LowerBetter: true},
		{Name: "change.effect", Unit: "s", LowerBetter: true},
		{Name: "change.memory.peak", Unit: "bytes", LowerBetter: true},
		{Name: "rollout.extra_origin", Unit: "count", Kind: Diff, LowerBetter: true},
		{Name: "rollout.expected_origin", Unit: "count", Kind: Diff, LowerBetter: true},
		{Name: "rollout.peak_origin", Unit: "1/s", Kind: Diff, LowerBetter: true},
		{Name: "rollout.share", Unit: "ratio", Kind: Diff},
		{Name: "nodes.retries", Unit: "1/1000", Kind: Diff, LowerBetter: true},
		{Name: "answers.differ", Unit: "count", Kind: Diff, LowerBetter: true},
	}
}

// timings are the families whose values are distributions of seconds, and
// whether they can be zero.
func timings() map[string]Kind {
	return map[string]Kind{
		"ttfb": Ratio, "service_ttfb": Ratio, "latency": Ratio, "page": Ratio,
		"lateness": Diff, "blocked": Diff,
	}
}

func statistics() map[string]float64 {
	return map[string]float64{"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999, "mean": 0, "max": 1}
}

// MetricInfo describes a metric name: ttfb.p50, edge.cpu, phase.route.p99.
func MetricInfo(name string) (Metric, bool) {
	all := catalogue()
	if i := slices.IndexFunc(all, func(m Metric) bool { return m.Name == name }); i >= 0 {
		return all[i], true
	}
	cut := strings.LastIndexByte(name, '.')
	if cut < 0 {
		return Metric{}, false
	}
	quantile, ok := statistics()[name[cut+1:]]
	if !ok {
		return Metric{}, false
	}
	m := Metric{Name: name, Unit: "s", LowerBetter: true, Quantile: quantile}
	if phase, isPhase := strings.CutPrefix(name[:cut], "phase."); isPhase {
		m.Kind = Diff // a phase that a request skips takes no time
		return m, phase != ""
	}
	m.Kind, ok = timings()[name[:cut]]
	return m, ok
}

// MetricNames returns the metric names that can be gated, sorted; those of the
// phases, which depend on the arm, stand as phase.NAME.p50 and so on.
func MetricNames() []string {
	var names []string
	for _, m := range catalogue() {
		names = append(names, m.Name)
	}
	for statistic := range statistics() {
		names = append(names, "phase.NAME."+statistic)
		for family := range timings() {
			names = append(names, family+"."+statistic)
		}
	}
	slices.Sort(names)
	return names
}
