package gate

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"switchback/results/record"
	"switchback/results/units"
)

// made describes the blocks that a test makes: what each arm measured in each
// pair.
type made struct {
	pairs  int
	arms   []string
	every  int // pairs a launch; default 1
	values func(pair int, arm string) []record.Value
}

func (m made) blocks() []record.Block {
	var blocks []record.Block
	for pair := range m.pairs {
		for order, arm := range m.arms {
			blocks = append(blocks, record.Block{
				Schema: record.BlockSchema, Pair: pair, Order: order, Arm: arm, Launch: pair / max(1, m.every),
				Length: 1, Drain: 0.01, Due: 1000, Released: 1000, Answered: 1000,
				Metrics: m.values(pair, arm), Generator: record.Generator{CPU: 0.3, Spin: 0.1, LatenessP99: 20e-6},
			})
		}
	}
	return blocks
}

func (m made) run() Run {
	return Run{Manifest: record.Manifest{Run: "test", Experiment: "test", Seed: 1, Order: make([][]string, m.pairs)}, Blocks: m.blocks()}
}

// noisy gives both arms a common drift and 2 % of noise, and the candidate a
// factor.
func noisy(factor float64) func(int, string) []record.Value {
	draw := rand.New(rand.NewPCG(1, 2))
	return func(pair int, arm string) []record.Value {
		v := 0.001 * (1 + float64(pair)/20) * math.Exp(0.02*draw.NormFloat64())
		if arm == "candidate" {
			v *= factor
		}
		return []record.Value{
			{Metric: "ttfb.p50", Value: v, N: 1000},
			{Metric: "errors.ratio", Value: 0, N: 1000},
			{Metric: "cache.hit_ratio", Value: 0.9 / factor, N: 1000},
		}
	}
}

func amount(t *testing.T, text string) *units.Amount {
	t.Helper()
	a, err := units.ParseAmount(text)
	if err != nil {
		t.Fatal(err)
	}
	return &a
}

func both() []string { return []string{"base", "candidate"} }

func TestVerdicts(t *testing.T) {
	five := func(t *testing.T) []Bound { return []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}} }
	for _, c := range []struct {
		name   string
		factor float64
		want   string
	}{
		{"much slower", 1.2, record.Regression},
		{"at the margin", 1.05, record.Inconclusive},
		{"the same", 1, record.Pass},
		{"faster", 0.8, record.Pass},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := made{pairs: 20, arms: both(), values: noisy(c.factor)}
			s, err := Summarise(m.run(), Rules{Bounds: five(t)})
			if err != nil {
				t.Fatal(err)
			}
			if s.Verdict != c.want {
				t.Errorf("verdict %s, want %s: %+v %+v", s.Verdict, c.want, s.Gates, s.Validity)
			}
			change := s.Metrics[0].Change["candidate"]
			if !(change.Low <= c.factor && c.factor <= change.High) {
				t.Errorf("interval [%v, %v] of a true ratio of %v", change.Low, change.High, c.factor)
			}
		})
	}
}

func TestNothingComparedIsNoPass(t *testing.T) {
	m := made{pairs: 20, arms: both(), values: noisy(1)}
	s, err := Summarise(m.run(), Rules{Bounds: []Bound{{Metric: "ttfb.p50", Group: "size=7", MaxRegression: amount(t, "5%")}}})
	if !errors.Is(err, ErrNothingCompared) || s.Verdict != record.Invalid {
		t.Errorf("verdict %s, error %v; want invalid and ErrNothingCompared", s.Verdict, err)
	}
}
