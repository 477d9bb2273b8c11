package figures

import (
	"strings"

	"switchback/results/metric"
	"switchback/results/units"
)

// MetricLabel names a metric for a person: TTFB p50, CPU per request.
func MetricLabel(name string) string {
	if m, ok := metric.Lookup(name); ok {
		return Name(m.Label)
	}
	return Name(name)
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
