package experiment

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// statistics are what a metric of requests is summed up by.
func statistics() []string {
	return []string{"p50", "p90", "p95", "p99", "p999", "mean", "max"}
}

// families are the metrics of requests; each has every statistic.
func families() []string {
	return []string{"ttfb", "service_ttfb", "latency", "lateness", "blocked", "page"}
}

// plainMetrics have one value a block, or a launch.
func plainMetrics() []string {
	return []string{
		"errors.ratio", "edge.cpu", "edge.memory.peak", "edge.memory.mean", "edge.memory.pss", "edge.startup",
		"origin.requests", "origin.bytes", "kv.lru.hit_ratio", "kv.disk.bytes", "ring.bytes", "ring.build",
		"cache.hit_ratio", "answers.differ",
	}
}

// metrics are all names that a bound may use, but those of phases.
func metrics() []string {
	all := plainMetrics()
	for _, f := range families() {
		for _, s := range statistics() {
			all = append(all, f+"."+s)
		}
	}
	return all
}

var phase = regexp.MustCompile(`^phase\.[a-zA-Z0-9_-]{1,64}\.([a-z0-9]+)$`)

// knownMetric tells whether a bound may use the metric.
func knownMetric(metric string) bool {
	if m := phase.FindStringSubmatch(metric); m != nil {
		return slices.Contains(statistics(), m[1])
	}
	return slices.Contains(metrics(), metric)
}

// quantile returns the q of a metric such as ttfb.p99: 0.99.
func quantile(metric string) (q float64, ok bool) {
	digits, ok := strings.CutPrefix(metric[strings.LastIndexByte(metric, '.')+1:], "p")
	if !ok || !knownMetric(metric) {
		return 0, false
	}
	q, err := strconv.ParseFloat("0."+digits, 64)
	return q, err == nil
}

// perLaunch tells whether a metric has one value a launch, not one a block.
func perLaunch(metric string) bool {
	return strings.HasPrefix(metric, "edge.memory.") || metric == "edge.startup" || metric == "ring.build"
}

// groupKeys are the ways in which requests are grouped.
func groupKeys() []string {
	return []string{"size", "position", "cache", "colo", "step", "sweep"}
}

func positions() []string { return []string{"first", "middle", "last", "unknown", "none"} }
