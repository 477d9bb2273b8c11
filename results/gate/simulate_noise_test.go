package gate

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"switchback/results/record"
)

// noiseGates is the number of gates of each row; `./run.sh accept gate_noise`
// asks for more.
var noiseGates = flag.Int("noise-gates", 100, "simulated gates of each row of TestSimulatedNoise")

// A simulated block: a queue with one server, asked at random instants. Half of
// the two CPUs is the server's.
const (
	queuePairs    = 24
	queueRequests = 300
	queueRate     = 300.0 // requests a second, so a block lasts a second
	queueService  = 0.4 / queueRate
	queueJitter   = 0.02 // spread of the work of two blocks that ask the same
	restSeconds   = 0.2  // between two blocks
)

// thief takes half of the server's CPU for some time.
type thief interface {
	// speed is that of the server at an instant, and how long it stays so;
	// used is the CPU time that the server has used so far.
	speed(at, used float64) (speed, until float64)
}

// honest takes nothing.
type honest struct{}

func (honest) speed(float64, float64) (float64, float64) { return 1, math.Inf(1) }

// random takes half of the CPU for 0.5 to 1 s, after times of a given mean.
type random struct {
	draw  *rand.Rand
	mean  float64
	taken bool
	until float64
}

func (r *random) speed(at, _ float64) (float64, float64) {
	for at >= r.until {
		if r.taken = !r.taken; r.taken {
			r.until += 0.5 + 0.5*r.draw.Float64()
		} else {
			r.until += r.mean * r.draw.ExpFloat64()
		}
	}
	if r.taken {
		return 0.5, r.until
	}
	return 1, r.until
}

// credits is a machine that may use a share of its CPU for ever, and more from
// credits that it has saved. Without credits it has half. What one block used
// up, the next one lacks.
type credits struct{ refill, most, lent float64 }

func (c *credits) speed(at, used float64) (float64, float64) {
	if left := c.most + c.refill*at - used - c.lent; left > c.most {
		c.lent += left - c.most // a full purse takes no more
	} else if left <= 0 {
		return 0.5, at + 0.1
	}
	return 1, at + 0.05
}

// queue is the simulated server with its clock.
type queue struct {
	thief
	now, used, stolen float64
}

// serve works off one request and returns when it is done.
func (q *queue) serve(from, work float64) float64 {
	q.now = max(q.now, from)
	for work > 0 {
		speed, until := q.speed(q.now, q.used)
		step := min(work/speed, until-q.now)
		work -= step * speed
		q.used += step * speed
		q.stolen += step * (1 - speed)
		q.now += step
	}
	return q.now
}

// block serves the requests of a block that starts at an instant: the median
// time of an answer, and what was stolen as a share of the two CPUs.
func (q *queue) block(start float64, due, work []float64, slower float64) (median, stolen float64) {
	took := make([]float64, len(due))
	q.stolen = 0
	for i := range due {
		took[i] = q.serve(start+due[i], work[i]*slower) - start - due[i]
	}
	slices.Sort(took)
	length := max(due[len(due)-1], q.now-start)
	return took[len(took)/2], q.stolen / (2 * length)
}

// queueRun is a run of pairs that ask the same at the same instants.
func queueRun(draw *rand.Rand, t thief, effect float64) Run {
	run := Run{Manifest: record.Manifest{Run: "queue", Order: make([][]string, queuePairs)}}
	q, at := &queue{thief: t}, 0.0
	for pair := range queuePairs {
		due, work := make([]float64, queueRequests), make([]float64, queueRequests)
		for i := range due {
			due[i], work[i] = draw.Float64()*queueRequests/queueRate, queueService*draw.ExpFloat64()
		}
		slices.Sort(due)
		arms := both()
		if draw.Uint64()&1 == 1 {
			slices.Reverse(arms)
		}
		for order, arm := range arms {
			slower := math.Exp(queueJitter * draw.NormFloat64())
			if arm == "candidate" {
				slower *= 1 + effect
			}
			median, stolen := q.block(at, due, work, slower)
			at = max(at+queueRequests/queueRate, q.now) + restSeconds
			run.Blocks = append(run.Blocks, record.Block{Pair: pair, Order: order, Arm: arm, Launch: pair, Length: 1, Due: 1, Released: 1,
				Generator: record.Generator{Steal: stolen},
				Metrics:   []record.Value{{Metric: "ttfb.p50", Value: median, N: queueRequests}, {Metric: "errors.ratio", N: queueRequests}}})
		}
	}
	return run
}

// calledBy counts the verdicts of so many gates.
func calledBy(t *testing.T, seed uint64, thieves func(*rand.Rand) thief, effect float64, margin string) map[string]int {
	draw := rand.New(rand.NewPCG(2026, seed))
	verdicts := map[string]int{}
	for range *noiseGates {
		s, err := Summarise(queueRun(draw, thieves(draw), effect), Rules{Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, margin)}}})
		if err != nil {
			t.Fatal(err)
		}
		verdicts[s.Verdict]++
	}
	return verdicts
}

// TestSimulatedNoise judges gates on machines whose CPU is taken away: false
// alarms stay within alpha whatever is taken and however often, also where the
// CPU that one block used is what the next one lacks. A change below the margin
// is seldom called where enough quiet pairs are left, and a large one found.
func TestSimulatedNoise(t *testing.T) {
	taken := func(mean float64) func(*rand.Rand) thief {
		return func(draw *rand.Rand) thief { return &random{draw: draw, mean: mean} }
	}
	for i, row := range []struct {
		name    string
		thieves func(*rand.Rand) thief
		quiet   bool // enough pairs are left in most runs
	}{
		{"nothing is taken", func(*rand.Rand) thief { return honest{} }, true},
		{"half, 0.5 to 1 s, about every 10 s", taken(10), true},
		{"half, 0.5 to 1 s, about every 2 s", taken(2), false},
		{"credits for 30 % of a CPU, 1 s of them saved", func(*rand.Rand) thief { return &credits{refill: 0.3, most: 1} }, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			seed := uint64(10 * i)
			same := calledBy(t, seed, row.thieves, 0, "0%")
			below := calledBy(t, seed+1, row.thieves, 0.03, "5%")
			above := calledBy(t, seed+2, row.thieves, 0.10, "5%")
			share := func(v map[string]int, verdict string) float64 {
				return 100 * float64(v[verdict]) / float64(*noiseGates)
			}
			t.Logf("| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% |", row.name, share(same, record.Regression),
				share(below, record.Regression), share(above, record.Regression), share(above, record.Invalid))
			alarmsWithin(t, same[record.Regression], 0.05)
			if row.quiet {
				alarmsWithin(t, below[record.Regression], 0.05)
			}
			if row.quiet && share(above, record.Regression) < 80 {
				t.Errorf("+10 %% against a margin of 5 %% found in %.1f %%", share(above, record.Regression))
			}
		})
	}
}

// alarmsWithin checks that alarms are at most alpha's, but by chance in one of 10,000 series.
func alarmsWithin(t *testing.T, alarms int, alpha float64) {
	t.Helper()
	n := float64(*noiseGates)
	if limit := n*alpha + distuv.UnitNormal.Quantile(0.9999)*math.Sqrt(n*alpha*(1-alpha)); float64(alarms) > limit {
		t.Errorf("%d alarms in %v gates, want at most %.0f", alarms, n, limit)
	}
}
