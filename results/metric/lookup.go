package metric

import (
	"slices"
	"strings"
)

// all returns every metric, in the order of tables.
func all() []Metric {
	var metrics []Metric
	for _, f := range families() {
		for _, s := range statistics() {
			metrics = append(metrics, f.of(s))
		}
	}
	return append(metrics, entries()...)
}

// Lookup describes a metric: ttfb.p50, edge.cpu, phase.route.p99.
func Lookup(name string) (Metric, bool) {
	plain := entries()
	if i := slices.IndexFunc(plain, func(m Metric) bool { return m.Name == name }); i >= 0 {
		return plain[i], true
	}
	cut := max(0, strings.LastIndexByte(name, '.'))
	of, known := familyOf(name[:cut])
	i := slices.IndexFunc(statistics(), func(s statistic) bool { return s.suffix == name[cut:] })
	if i < 0 || !known {
		return Metric{}, false
	}
	return of.of(statistics()[i]), true
}

// familyOf returns the family of times with a name, which may be a phase.
func familyOf(name string) (family, bool) {
	all := families()
	if phase, is := strings.CutPrefix(name, Phase); is {
		f := all[len(all)-1]
		f.Name, f.Label = name, "phase "+phase
		return f, phase != ""
	}
	i := slices.IndexFunc(all, func(f family) bool { return f.Name == name })
	if i < 0 {
		return family{}, false
	}
	return all[i], true
}

// In returns the names of the metrics of a section, in the order of tables; of
// phases the name is phase.NAME.mean and so on.
func In(section Section) []string {
	var names []string
	for _, m := range all() {
		if m.Sections&section != 0 {
			names = append(names, m.Name)
		}
	}
	return names
}

// Is reports whether a metric is one of a section.
func (m Metric) Is(section Section) bool { return m.Sections&section != 0 }

// Names returns the names that can be gated, sorted; those of the phases, which
// depend on the arm, stand as phase.NAME.p50 and so on.
func Names() []string {
	var names []string
	for _, m := range all() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}

// OfRequests returns the families that every request has a time of, in the
// order of tables and files.
func OfRequests() []string { return []string{TTFB, ServiceTTFB, Latency, Lateness, Blocked} }

// IsStatistic reports whether a metric is a statistic of times.
func IsStatistic(name string) bool {
	return strings.HasPrefix(name, Phase) || slices.ContainsFunc(append(OfRequests(), Page), func(family string) bool {
		return strings.HasPrefix(name, family+".")
	})
}
