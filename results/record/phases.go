package record

import (
	"slices"

	"switchback/results/metric"
)

// readTiming parses the sample's Server-Timing and sets its groups: those of
// its label, and the cache state that the server reported.
func (m *measurer) readTiming(s *Sample) {
	m.now, m.state = append(m.now[:0], m.groups.byLabel[s.Target]...), 0
	m.timing = m.timing[:0]
	if len(s.ServerTiming) == 0 {
		return
	}
	var err error
	m.timing, err = ParseServerTiming(m.timing, s.ServerTiming)
	if err != nil {
		m.out.Malformed++
	}
	if state := described(m.timing, "cache"); len(state) > 0 {
		m.cacheState(state)
	}
}

// described returns the description of the first entry with that name, nil if
// there is none.
func described(entries []Timing, name string) []byte {
	for _, t := range entries {
		if string(t.Name) == name {
			return t.Desc
		}
	}
	return nil
}

// cacheState sets the group of the cache state of the sample at hand.
func (m *measurer) cacheState(state []byte) {
	group, known := m.caches[string(state)]
	switch {
	case known:
	case len(m.caches) == maxCacheStates:
		m.out.Crowded++
		return
	default:
		group = m.groups.number(Group("cache", string(state)))
		m.caches[string(state)] = group
	}
	m.state = group
}

// recordPhases records the timed entries of the sample at hand; entries of
// one name are added up.
func (m *measurer) recordPhases() {
	for i, t := range m.timing {
		if !t.Timed || earlier(m.timing[:i], t.Name) {
			continue
		}
		metric, ok := m.phase(t.Name)
		if !ok {
			m.out.Crowded++
			continue
		}
		m.record(metric, total(m.timing[i:], t.Name))
	}
}

// phase returns the metric of a phase; false when there are too many.
func (m *measurer) phase(name []byte) (int, bool) {
	if metric, known := m.phases[string(name)]; known {
		return metric, true
	}
	if len(m.phases) == maxPhases {
		return 0, false
	}
	metric := metric.Phase + clean(string(name), 32)
	i := slices.Index(m.metrics, metric)
	if i < 0 {
		i = len(m.metrics)
		m.metrics = append(m.metrics, metric)
	}
	m.phases[string(name)] = i
	return i, true
}

func earlier(entries []Timing, name []byte) bool {
	return slices.ContainsFunc(entries, func(t Timing) bool { return t.Timed && string(t.Name) == string(name) })
}

func total(entries []Timing, name []byte) int64 {
	var sum int64
	for _, t := range entries {
		if string(t.Name) == string(name) {
			sum += t.Nanos
		}
	}
	return sum
}

// view is one page view: its document and the end of its last request.
type view struct {
	document *Sample
	done     int64
	failed   bool // one of them at least
}

// took returns how long the view took, in nanoseconds: a page of which a part
// failed was never whole.
func (v *view) took() int64 {
	if v.failed {
		return NoAnswer
	}
	return v.done - v.document.Due
}

// pages records page: from the due instant of the document to the end of the
// view's last request. Views whose document is not among the samples are left
// out: the guard holds it.
func (m *measurer) pages(samples []Sample) {
	m.state = 0
	views := map[int32]*view{}
	for i := range samples {
		s := &samples[i]
		label := &m.labels[s.Target]
		if label.View == 0 {
			continue
		}
		v := views[label.View]
		if v == nil {
			v = &view{}
			views[label.View] = v
		}
		v.done, v.failed = max(v.done, s.ended(m.end)), v.failed || s.Error != OK
		if label.Document {
			v.document = s
		}
	}
	for _, v := range views {
		if v.document != nil {
			m.now = append(m.now[:0], m.groups.byLabel[v.document.Target]...)
			m.record(page, v.took())
		}
	}
}
