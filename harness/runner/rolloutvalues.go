package runner

import (
	"switchback/harness/plan"
	"switchback/results/metric"
	"switchback/results/record"
)

// stepTotal sums up one step of a course.
type stepTotal struct {
	name string
	record.Decision
	origin   int64
	expected float64 // extra origin requests by formula
}

// courseTotals sums up a course by step.
type courseTotals struct {
	steps []*stepTotal // in their order; the first is the time before
	base  float64      // objects fetched again for each request before the rollout: evictions
}

// step returns the sum of a step.
func (t *courseTotals) step(name string) *stepTotal {
	if n := len(t.steps); n > 0 && t.steps[n-1].name == name {
		return t.steps[n-1]
	}
	t.steps = append(t.steps, &stepTotal{name: name})
	return t.steps[len(t.steps)-1]
}

// add sums up a stretch.
func (t *courseTotals) add(d *record.Decision, s plan.Stretch) {
	sum := t.step(d.Step)
	sum.Requests, sum.Extra, sum.OnNew = sum.Requests+d.Requests, sum.Extra+d.Extra, sum.OnNew+d.OnNew
	sum.Lookups, sum.Hits, sum.Retries = sum.Lookups+d.Lookups, sum.Hits+d.Hits, sum.Retries+d.Retries
	if d.Origin != nil {
		sum.origin += *d.Origin
	}
	if s.Step == 0 && s.Window && d.Requests > 0 { // the last window before the rollout
		t.base = float64(d.Extra) / float64(d.Requests)
	}
}

// values adds the metrics of the course to its block.
func (c *courseRun) values() {
	total, expected, n := 0.0, 0.0, 0
	for i, s := range c.totals.steps {
		group := record.Group("step", s.name)
		c.grouped(metric.OriginRequests, group, 1000*float64(s.origin), s.Requests)
		c.grouped(metric.CacheHitRatio, group, float64(s.Hits), s.Lookups)
		c.grouped(metric.RolloutShare, group, float64(s.OnNew), s.Requests)
		c.grouped(metric.NodesRetries, group, 1000*float64(s.Retries), s.Requests)
		if i == 0 {
			continue
		}
		extra := float64(s.Extra) - c.totals.base*float64(s.Requests)
		c.block.Metrics = append(c.block.Metrics, record.Value{Metric: metric.RolloutExtraOrigin, Group: group, Value: extra, N: int64(s.Requests)})
		total, expected, n = total+extra, expected+s.expected, n+s.Requests
		if c.extra != nil {
			c.block.Metrics = append(c.block.Metrics, record.Value{Metric: metric.RolloutExpectedOrigin, Group: group, Value: s.expected, N: int64(s.Requests)})
		}
	}
	c.value(metric.RolloutExtraOrigin, total, int64(n))
	if c.extra != nil {
		c.value(metric.RolloutExpectedOrigin, expected, int64(n))
	}
	c.value(metric.RolloutPeakOrigin, c.peak(), int64(n))
}

// peak is the most objects that were fetched again in one second of the
// rollout, less what evictions cost before.
func (c *courseRun) peak() float64 {
	most := 0
	for _, k := range c.fetched.perSecond {
		most = max(most, k)
	}
	return max(0, float64(most)-c.totals.base*float64(c.e.Load.Rate))
}

// grouped adds a metric of a group that is a sum over so many requests.
func (b *blockRun) grouped(metric, group string, sum float64, n int) {
	if n > 0 {
		b.block.Metrics = append(b.block.Metrics, record.Value{Metric: metric, Group: group, Value: sum / float64(n), N: int64(n)})
	}
}
