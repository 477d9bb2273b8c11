package record

import "slices"

// Pool merges the histograms of many blocks by arm, metric and group. Its
// quantiles are those of all requests, for quantiles that a block cannot hold;
// they have no interval. The zero value is empty.
type Pool struct {
	byKey map[poolKey]*Histogram
}

type poolKey struct{ arm, metric, group string }

// Add merges what a block of arm measured.
func (p *Pool) Add(arm string, m *Measurement) {
	for _, s := range m.Series {
		p.add(poolKey{arm, s.Metric, s.Group}, s.Histogram)
	}
}

// add returns how many pages more the pool holds.
func (p *Pool) add(k poolKey, h *Histogram) (pages int) {
	if p.byKey == nil {
		p.byKey = map[poolKey]*Histogram{}
	}
	sum := p.byKey[k]
	if sum == nil {
		sum = NewHistogram()
		pages = 2 // its own size
		p.byKey[k] = sum
	}
	return pages + sum.Merge(h)
}

// Histogram returns the merged histogram, nil when nothing was added for it.
func (p *Pool) Histogram(arm, metric, group string) *Histogram {
	return p.byKey[poolKey{arm, metric, group}]
}

// Values returns the statistics of all of an arm's requests, those included
// that rest on few; Value.N says on how many.
func (p *Pool) Values(arm string) []Value {
	var series []Series
	for k, h := range p.byKey {
		if k.arm == arm {
			series = append(series, Series{k.metric, k.group, h})
		}
	}
	sortSeries(series)
	var values []Value
	for _, s := range series {
		values = appendStatistics(values, s, false)
	}
	return slices.Clip(values)
}
