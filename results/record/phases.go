package record

import (
	"slices"
)

// readTiming parses the sample's Server-Timing and sets its groups: those of
// its label, and the cache state that the server reported.
func (m *measurer) readTiming(s *Sample) {
	m.now = append(m.now[:0], m.groups.byLabel[s.Target]...)
	m.timing = m.timing[:0]
	if len(s.ServerTiming) == 0 {
		return
	}
	var err error
	m.timing, err = ParseServerTiming(m.timing, s.ServerTiming)
	if err != nil {
		m.out.Malformed++
	}
	if state := Described(m.timing, "cache"); state != "" {
		m.cacheState(state)
	}
}

// Described returns the description of the first entry with that name, "" if
// there is none.
func Described(entries []Timing, name string) string {
	for _, t := range entries {
		if string(t.Name) == name {
			return string(t.Desc)
		}
	}
	return ""
}

func (m *measurer) cacheState(state string) {
	name := Group("cache", state)
	if _, known := m.groups.byString[name]; !known {
		if m.groups.nCaches == maxCacheStates {
			m.out.Crowded++
			return
		}
		m.groups.nCaches++
	}
	m.now = append(m.now, m.groups.number(name))
}

// recordPhases records the timed entries of the sample at hand; entries of
// one name are added up.
func (m *measurer) recordPhases() {
	for i, t := range m.timing {
		if !t.Timed || earlier(m.timing[:i], t.Name) {
			continue
		}
		metric, ok := m.phase(string(t.Name))
		if !ok {
			m.out.Crowded++
			continue
		}
		m.record(metric, total(m.timing[i:], t.Name))
	}
}

// phase returns the metric of a phase; false when there are too many.
func (m *measurer) phase(name string) (string, bool) {
	name = clean(name, 32)
	for _, known := range m.phases {
		if known[len("phase."):] == name {
			return known, true
		}
	}
	if len(m.phases) == maxPhases {
		return "", false
	}
	m.phases = append(m.phases, "phase."+name)
	return m.phases[len(m.phases)-1], true
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
}

// pages records page: from the due instant of the document to the end of the
// view's last request. Views whose document is not among the samples are left
// out: the guard holds it.
func (m *measurer) pages(samples []Sample) {
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
		v.done = max(v.done, m.ended(s))
		if label.Document {
			v.document = s
		}
	}
	for _, v := range views {
		if v.document != nil {
			m.now = append(m.now[:0], m.groups.byLabel[v.document.Target]...)
			m.record("page", v.done-v.document.Due)
		}
	}
}
