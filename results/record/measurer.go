package record

import (
	"slices"
	"strings"
)

// maxPhases and maxCacheStates bound what servers may add to the metrics of a
// block.
const (
	maxPhases      = 16
	maxCacheStates = 8
)

// measurer builds a Measurement.
type measurer struct {
	labels  []Label
	end     int64
	groups  groups
	metrics []string       // names, by number
	series  [][]*Histogram // by metric and group
	phases  map[string]int // metric of each phase, by the name as sent
	caches  map[string]int // group of each cache state, by the state as sent
	timing  []Timing       // scratch
	now     []int          // scratch: the groups of the sample at hand
	state   int            // of the sample at hand: the group of its cache state; 0: none
	out     Measurement
}

// groups numbers the names of groups; number 0 is "", all requests.
type groups struct {
	names    []string
	byLabel  [][]int
	counts   []failures
	byString map[string]int
}

func newGroups(labels []Label) groups {
	g := groups{byString: map[string]int{}, byLabel: make([][]int, len(labels))}
	g.number("")
	for i, l := range labels {
		g.byLabel[i] = make([]int, 0, len(l.Groups)+1)
		g.byLabel[i] = append(g.byLabel[i], 0)
		for _, name := range l.Groups {
			g.byLabel[i] = append(g.byLabel[i], g.number(name))
		}
	}
	return g
}

func (g *groups) number(name string) int {
	if n, ok := g.byString[name]; ok {
		return n
	}
	n := len(g.names)
	g.byString[name] = n
	g.names = append(g.names, name)
	g.counts = append(g.counts, failures{group: name})
	return n
}

// add counts a request of a group.
func (g *groups) add(n int, failed int64) {
	g.counts[n].n++
	g.counts[n].failed += failed
}

// sample records one request in every metric and group.
func (m *measurer) sample(s *Sample) {
	m.readTiming(s)
	m.count(s)
	for metric, ns := range s.Times(m.end) {
		switch {
		case ns == NoTime:
		case metric == Lateness: // the generator's, whatever the request was
			m.histogram(metric, 0).Count(ns)
		default:
			m.record(metric, ns)
		}
	}
	m.recordPhases()
}

// count sorts the sample into its groups and counts its failure.
func (m *measurer) count(s *Sample) {
	m.out.Requests++
	failed := int64(0)
	if s.Error != OK {
		failed = 1
		m.out.Failed++
		m.out.Errors[s.Error.String()]++
	}
	for _, g := range m.now {
		m.groups.add(g, failed)
	}
	if m.state > 0 {
		m.groups.add(m.state, failed)
	}
}

// record counts ns in the metric, for every group of the sample at hand. Those
// of cache states have the times of the whole answer alone: of its parts they
// would double the histograms of a run, and most parts come before the cache.
func (m *measurer) record(metric int, ns int64) {
	for _, g := range m.now {
		m.histogram(metric, g).Count(ns)
	}
	if m.state > 0 && metric <= Latency {
		m.histogram(metric, m.state).Count(ns)
	}
}

func (m *measurer) histogram(metric, group int) *Histogram {
	for len(m.series) <= metric {
		m.series = append(m.series, nil)
	}
	for len(m.series[metric]) <= group {
		m.series[metric] = append(m.series[metric], nil)
	}
	h := m.series[metric][group]
	if h == nil {
		h = NewHistogram()
		m.series[metric][group] = h
	}
	return h
}

// result sorts what was built.
func (m *measurer) result() *Measurement {
	for metric, byGroup := range m.series {
		for group, h := range byGroup {
			if h == nil {
				continue
			}
			m.out.Series = append(m.out.Series, Series{m.metrics[metric], m.groups.names[group], h})
			if group == 0 {
				m.out.cut(m.metrics[metric], h.OutOfRange())
			}
		}
	}
	sortSeries(m.out.Series)
	for _, f := range m.groups.counts {
		if f.n > 0 {
			m.out.failures = append(m.out.failures, f)
		}
	}
	slices.SortFunc(m.out.failures, func(a, b failures) int { return strings.Compare(a.group, b.group) })
	return &m.out
}
