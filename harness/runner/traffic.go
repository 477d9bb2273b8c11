package runner

import (
	"math"
	"slices"
	"time"

	"switchback/datasets"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
)

// assetGap is the distance of a page's assets: a browser asks for them one
// after the other while it parses the document.
const assetGap = time.Millisecond

// The streams of the run's seed that this package draws from.
const (
	seedSchedule = 1
	seedSecret   = 2
)

// traffic is what each block of a round sends: equal targets at equal instants
// for all arms.
type traffic struct {
	due     []time.Duration // since the block's start, ascending
	targets []targets.Target
	labels  []record.Label
	guard   int // the first so many are sent and not counted
}

// draw returns the traffic of a round.
func (c *cell) draw(pair int) (traffic, error) {
	counted, err := c.stream.Block(c.arrivals())
	if err != nil {
		return traffic{}, err
	}
	guard := time.Duration(c.e.Blocks.Guard)
	seeds := datasets.NewDraws(c.o.Seed, seedSchedule, uint64(pair))
	var t traffic
	due := make([]time.Duration, len(counted)) // a closed loop has none
	if !c.law.IsClosed() {
		due = dueInstants(counted, c.law.Given(arrivalsOf(counted), time.Duration(c.e.Blocks.Length), seeds.Uint64()))
		t = guardTraffic(counted, guard, int(math.Round(float64(c.e.Load.Rate)*guard.Seconds())))
	}
	t.guard = len(t.due)
	for i := range counted {
		t.due = append(t.due, guard+due[i])
	}
	t.targets = append(t.targets, counted...)
	t.sort()
	for _, target := range t.targets {
		t.labels = append(t.labels, labelOf(target))
	}
	c.markChanges(&t)
	c.labelColos(&t)
	return t, nil
}

// guardTraffic returns n requests spread evenly over the guard: the last
// of those that are counted, so that a guard is traffic of the same kind.
func guardTraffic(counted []targets.Target, guard time.Duration, n int) traffic {
	if len(counted) == 0 {
		return traffic{}
	}
	t := traffic{due: schedule.Constant(n, guard)}
	for i := range n {
		target := counted[len(counted)-1-i%len(counted)]
		target.View, target.Document = 0, false
		t.targets = append(t.targets, target)
	}
	return t
}

// arrivalsOf counts single requests and page views.
func arrivalsOf(list []targets.Target) int {
	n := 0
	for _, t := range list {
		if t.View == 0 || t.Document {
			n++
		}
	}
	return n
}

// dueInstants gives each target its instant: single requests and documents
// take the next arrival, assets follow their document.
func dueInstants(list []targets.Target, arrivals []time.Duration) []time.Duration {
	due := make([]time.Duration, len(list))
	next, last := 0, time.Duration(0)
	for i, t := range list {
		if t.View == 0 || t.Document {
			last = arrivals[next]
			next++
		} else {
			last += assetGap
		}
		due[i] = last
	}
	return due
}

// sort orders the counted part by due instant.
func (t *traffic) sort() {
	order := make([]int, len(t.due))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order[t.guard:], func(a, b int) int { return int(t.due[a] - t.due[b]) })
	due, list := make([]time.Duration, len(order)), make([]targets.Target, len(order))
	for to, from := range order {
		due[to], list[to] = t.due[from], t.targets[from]
	}
	t.due, t.targets = due, list
}

// labelOf says what groups a target belongs to.
func labelOf(t targets.Target) record.Label {
	l := record.Label{Method: t.Method, Host: t.Host, Path: t.Path, View: t.View, Document: t.Document}
	if t.Size != "" {
		l.Groups = append(l.Groups, record.Group("size", t.Size))
	}
	if t.Position != "" {
		l.Groups = append(l.Groups, record.Group("position", t.Position))
	}
	return l
}
