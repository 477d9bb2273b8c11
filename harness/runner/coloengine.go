package runner

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// coloOf returns which of n colos the i-th request of a block goes to: they
// take turns, and a page view goes whole to one.
func coloOf(i int, t targets.Target, n int) int {
	if t.View > 0 {
		i = int(t.View)
	}
	return i % n
}

// coloEngine spreads the requests of a block over the edges of an arm.
type coloEngine struct {
	engines []load.Engine
	places  []int      // colo of each request of the block
	parts   []coloPart // of each colo
	next    int        // the first request that was not sent
}

// coloPart is what one colo gets of a block, and of a call.
type coloPart struct {
	targets []targets.Target // those not sent yet

	index   []int // of the call
	due     []time.Duration
	samples []record.Sample // as given: they may name traces
	counts  load.Counts
	err     error
}

var _ load.Engine = (*coloEngine)(nil)

// newColoEngine returns the engine of an arm with several edges. Each of its
// senders waits in a system call for most of the time: the runtime must have
// room for all of them and one more, or one waits up to 10 ms for its turn.
func newColoEngine(edges []*armState) *coloEngine {
	if room := len(edges) + 1; runtime.GOMAXPROCS(0) < room {
		runtime.GOMAXPROCS(room) // pinSelf's undo sets it back
	}
	e := &coloEngine{}
	for _, a := range edges {
		e.engines = append(e.engines, a.engine)
	}
	return e
}

// begin shares out the requests of a block before its start: copying them
// would take longer than the lead.
func (e *coloEngine) begin(t traffic) {
	e.next, e.places = 0, make([]int, len(t.targets))
	e.parts = make([]coloPart, len(e.engines))
	for i, target := range t.targets {
		k := coloOf(i, target, len(e.parts))
		e.places[i] = k
		e.parts[k].targets = append(e.parts[k].targets, target)
	}
}

// Run implements load.Engine: the targets are the next ones of the block, and
// all colos send at the same time.
func (e *coloEngine) Run(ctx context.Context, start time.Time, due []time.Duration, _ []targets.Target, samples []record.Sample) (load.Counts, error) {
	for k := range e.parts {
		p := &e.parts[k]
		p.index, p.due, p.samples = p.index[:0], p.due[:0], p.samples[:0]
	}
	for i := range due {
		p := &e.parts[e.places[e.next+i]]
		p.index, p.due, p.samples = append(p.index, i), append(p.due, due[i]), append(p.samples, samples[i])
	}
	e.next += len(due)
	var sending sync.WaitGroup
	for k := range e.parts {
		sending.Go(func() { e.parts[k].run(ctx, e.engines[k], start) })
	}
	sending.Wait()
	return e.gather(samples)
}

func (p *coloPart) run(ctx context.Context, engine load.Engine, start time.Time) {
	p.counts, p.err = engine.Run(ctx, start, p.due, p.targets[:len(p.due)], p.samples)
	p.targets = p.targets[len(p.due):]
}

// gather puts the samples of the colos where they belong.
func (e *coloEngine) gather(samples []record.Sample) (sum load.Counts, err error) {
	for k := range e.parts {
		p := &e.parts[k]
		for from, to := range p.index {
			samples[to] = p.samples[from]
		}
		sum = sum.Add(p.counts)
		err = errors.Join(err, p.err)
	}
	return sum, err
}

// errOpenOnly is about what the check of an experiment refuses.
var errOpenOnly = errors.New("colos are asked in an open loop only")

// Concurrency implements load.Engine.
func (e *coloEngine) Concurrency(context.Context, time.Time, int, []targets.Target, []record.Sample) (load.Counts, error) {
	return load.Counts{}, errOpenOnly
}

// Stream implements load.Engine.
func (e *coloEngine) Stream(context.Context, time.Time, int, load.Feed) (load.Counts, error) {
	return load.Counts{}, errOpenOnly
}

// Close implements load.Engine. The other engines are closed with the edges
// that they belong to.
func (e *coloEngine) Close() { e.engines[0].Close() }

// shareOut gives the colos their requests of the block, where there are
// several.
func (b *blockRun) shareOut() {
	if e, ok := b.arm.engine.(*coloEngine); ok {
		e.begin(b.traffic)
	}
}

// labelColos puts requests into the groups of their colos.
func (c *cell) labelColos(t *traffic) {
	if len(c.e.Colos) == 0 {
		return
	}
	for i, target := range t.targets {
		colo := c.e.Colos[coloOf(i, target, len(c.e.Colos))]
		t.labels[i].Groups = append(t.labels[i].Groups, record.Group("colo", colo))
	}
}
