package figures

import (
	"strings"

	"switchback/results/units"
)

// MetricLabel names a metric for a person: TTFB p50, CPU per request.
func MetricLabel(metric string) string {
	switch metric {
	case "edge.cpu":
		return "CPU per request"
	case "edge.memory.peak":
		return "peak memory"
	case "edge.memory.mean":
		return "mean memory"
	case "edge.memory.pss":
		return "memory (PSS)"
	case "edge.startup":
		return "start-up"
	case "ring.build":
		return "ring build"
	case "ring.bytes":
		return "ring memory"
	case "kv.disk.bytes":
		return "store on disk"
	case "kv.lru.hit_ratio":
		return "LRU hit ratio"
	case "kv.lru.evictions":
		return "LRU evictions per 1,000"
	case "kv.neighbours.hit_ratio":
		return "neighbours' LRU hit ratio"
	case "kv.read.bytes":
		return "bytes read per request"
	case "filter.bytes":
		return "filter memory"
	case "filter.false_positives":
		return "filter's false positives"
	case "cache.hit_ratio":
		return "cache hit ratio"
	case "origin.requests":
		return "origin requests per 1,000"
	case "origin.bytes":
		return "origin bytes per request"
	case "errors.ratio":
		return "errors"
	case "answers.differ":
		return "answers that differ, per pair"
	}
	return familyLabel(metric)
}

// familyLabel names a metric that is a statistic of a family of times.
func familyLabel(metric string) string {
	cut := strings.LastIndexByte(metric, '.')
	if cut < 0 {
		return Name(metric)
	}
	family, statistic := metric[:cut], metric[cut+1:]
	if statistic == "p999" {
		statistic = "p99.9"
	}
	switch family {
	case "ttfb":
		family = "TTFB"
	case "service_ttfb":
		family = "service TTFB"
	case "page":
		family = "page view"
	}
	if phase, is := strings.CutPrefix(family, "phase."); is {
		family = "phase " + phase
	}
	return Name(family + " " + statistic)
}

// GroupLabel names a group: 10,000 deployments, position last.
func GroupLabel(group string) string {
	key, value, found := strings.Cut(group, "=")
	switch {
	case group == "":
		return ""
	case !found:
		return Name(group)
	case key == "size":
		return sizeLabel(value)
	case key == "sweep":
		return Name(value)
	}
	return Name(key + " " + value)
}

func sizeLabel(value string) string {
	var n int
	for _, c := range value {
		if c < '0' || c > '9' || n > 1e12 {
			return Name(value)
		}
		n = 10*n + int(c-'0')
	}
	return units.Count(n, "deployment")
}

// nameColumns bounds a name in a table.
const nameColumns = 60

// Name makes a name fit for a table: printable, and not endless.
func Name(s string) string { return Cut(Escape(s), nameColumns) }
