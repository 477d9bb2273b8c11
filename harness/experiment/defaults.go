package experiment

import (
	"time"

	"switchback/harness/blocks"
	"switchback/harness/schedule"
	"switchback/results/gate"
)

// The defaults of an experiment file.
const (
	defaultDelay          = "0s"
	defaultEngine         = "vegeta"
	defaultArrivals       = "poisson"
	defaultOpenRate       = Rate(100)
	defaultConnections    = 64
	defaultPooling        = "shared"
	defaultTimeout        = Duration(10 * time.Second)
	defaultRouter         = "hashed"
	defaultTableLife      = "request"
	defaultRing           = "v1"
	defaultTies           = "address"
	defaultNames          = "address"
	defaultNodes          = 8
	defaultLRU            = Bytes(64 << 20)
	defaultCache          = Bytes(64 << 20)
	defaultColo           = "ams"
	defaultReady          = "tcp"
	defaultReadyWithin    = Duration(10 * time.Second)
	defaultStop           = "TERM"
	defaultGrace          = Duration(5 * time.Second)
	defaultPairs          = 12
	defaultLength         = Duration(time.Second)
	defaultGuard          = Duration(blocks.Guard)
	defaultOnInconclusive = "warn"
)

// or sets *v to its default when it is the zero value.
func or[T comparable](v *T, value T) {
	var zero T
	if *v == zero {
		*v = value
	}
}

// fill sets every default that the file leaves open, and then makes the
// experiment short if it is to be.
func (e *Experiment) fill() {
	e.fillDataset()
	or(&e.Origin.Delay, defaultDelay)
	or(&e.Isolation, isolationProcesses)
	e.fillRollout()
	e.fillBlocks()
	e.fillLoad()
	for i := range e.Arms {
		e.fillArm(indexed("arms", i), &e.Arms[i])
	}
	e.fillCheck()
	e.fillChanges()
	if len(e.Gate.Bounds) > 0 {
		or(&e.Gate.Alpha, gate.DefaultAlpha)
		or(&e.Gate.Looks, 1)
		or(&e.Gate.OnInconclusive, defaultOnInconclusive)
	}
	for i := range e.Gate.Bounds {
		e.Gate.Bounds[i].Line = e.lines[indexed("gate.bounds", i)]
	}
	for i := range e.Sweep {
		e.Sweep[i].fill()
	}
	if e.ShortForm {
		e.shorten()
	}
}

func (e *Experiment) fillDataset() {
	d, t := &e.Dataset, &e.Targets
	if t.Hosts != "" {
		or(&t.Expect, ExpectAny)
		return
	}
	or(&t.Expect, ExpectBody)
	if d.File == "" {
		d.Settings = d.Settings.WithDefaults()
	}
	if t.File == "" {
		t.Settings = t.Settings.WithDefaults()
	}
}

func (e *Experiment) fillBlocks() {
	b := &e.Blocks
	if len(e.Arms) > 0 {
		or(&b.Baseline, e.Arms[0].Name)
	}
	e.absent("blocks.pairs", func() { b.Pairs = defaultPairs })
	e.absent("blocks.length", func() { b.Length = defaultLength })
	if e.Rollout != nil { // one course is a block
		e.absent("blocks.pairs", func() { b.Pairs = 1 })
		e.absent("blocks.length", func() { b.Length = e.rolloutLength() })
	}
	e.absent("blocks.guard", func() { b.Guard = defaultGuard })
	e.absent("blocks.launch_every", func() { b.LaunchEvery = 1 })
	e.absent("blocks.max_baseline_errors", func() { b.MaxBaselineErrors = gate.DefaultBaselineErrors })
}

func (e *Experiment) fillLoad() {
	l := &e.Load
	or(&l.Engine, defaultEngine)
	or(&l.Arrivals, defaultArrivals)
	or(&l.Pooling, defaultPooling)
	e.absent("load.connections", func() { l.Connections = defaultConnections })
	e.absent("load.timeout", func() { l.Timeout = defaultTimeout })
	if l.closed() {
		e.absent("load.concurrency", func() { l.Concurrency = 1 })
		return
	}
	e.absent("load.rate", func() { l.Rate = e.defaultRate() })
}

// closed tells whether the load is a closed loop, which has no rate.
func (l LoadSettings) closed() bool {
	law, err := schedule.Parse(l.Arrivals)
	return err == nil && law.IsClosed()
}

// defaultRate spreads the requests of per_block over the block.
func (e *Experiment) defaultRate() Rate {
	n := e.Targets.Arrivals()
	if n == 0 || e.Blocks.Length <= 0 {
		return defaultOpenRate
	}
	return Rate(float64(n) / time.Duration(e.Blocks.Length).Seconds())
}

// absent calls set when the file has no value at path: for keys whose zero
// is a value, or a fault, of its own.
func (e *Experiment) absent(path string, set func()) {
	if _, given := e.lines[path]; !given {
		set()
	}
}

func (e *Experiment) fillArm(path string, a *Arm) {
	if a.Edge != nil {
		e.fillEdge(under(path, "edge"), a.Edge)
	}
	if c := a.Command; c != nil {
		or(&c.Ready, defaultReady)
		or(&c.ReadyWithin, defaultReadyWithin)
		or(&c.Stop, defaultStop)
		or(&c.Grace, defaultGrace)
		if b := c.Build; b != nil {
			or(&b.Git, ".")
			or(&b.Go, ".")
		}
	}
}

func (e *Experiment) fillEdge(path string, s *Edge) {
	or(&s.Router, defaultRouter)
	or(&s.Ring, defaultRing)
	or(&s.Ties, defaultTies)
	or(&s.Names, defaultNames)
	if len(e.Colos) == 0 {
		or(&s.Colo, defaultColo)
	}
	e.absent(under(path, "lru"), func() { s.LRU = defaultLRU })
	e.absent(under(path, "cache"), func() { s.Cache = defaultCache })
	if s.holds(legacy) {
		or(&s.TableLife, defaultTableLife)
	}
	if s.Nodes.File == "" {
		e.absent(under(path, "nodes.count"), func() { s.Nodes.Count = defaultNodes })
	}
}
