package gate

import (
	"math"
	"testing"
	"time"

	"switchback/results/record"
)

// sweepOf returns blocks of cells n=10 and n=1000: the arm a grows linearly
// along n, the arm b is flat.
func sweepOf(pairs int) ([]record.Block, []Cell) {
	var blocks []record.Block
	var cells []Cell
	rules := Rules{Arms: []string{"a", "b"}, Baseline: "a", Pairs: pairs, Launches: pairs}
	for name, x := range map[string]float64{"n=10": 10, "n=1000": 1000} {
		cells = append(cells, Cell{Name: name, At: []Coordinate{{Axis: "n", Label: name[2:], X: x, HasX: true}}, Rules: rules})
		for pair := range pairs {
			for arm, value := range map[string]float64{"a": x / 1e5, "b": 1e-4} {
				wobble := 1 + 0.01*float64(pair%3)
				blocks = append(blocks, record.Block{Cell: name, Pair: pair, Launch: pair, Arm: arm, Start: time.Unix(int64(pair), 0),
					Length: 1, Due: 100, Released: 100, Answered: 100, Metrics: []record.Value{
						{Metric: "ttfb.mean", Value: value * wobble, N: 100},
						{Metric: "ttfb.mean", Group: "position=last", Value: value * wobble * 2, N: 100}}})
			}
		}
	}
	return blocks, cells
}

func TestSweepKeepsCellsApartAndFitsGrowth(t *testing.T) {
	blocks, cells := sweepOf(6)
	s, err := Sweep(Run{Blocks: blocks}, cells)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"sweep=n=10": 1, "sweep=n=1000": 0.01, "sweep=n=10,position=last": 1, "sweep=n=1000,position=last": 0.01}
	for _, m := range s.Metrics {
		if ratio := m.Change["b"].Ratio; m.Name == "ttfb.mean" && math.Abs(ratio/want[m.Group]-1) > 1e-9 {
			t.Errorf("%s: ratio %v, want %v", m.Group, ratio, want[m.Group])
		}
	}
	exponents := map[string]float64{}
	for _, g := range s.Growth {
		exponents[g.Arm+g.Group] = g.Exponent
		if g.Low > g.Exponent || g.High < g.Exponent || g.Axis != "n" || g.N != 12 {
			t.Errorf("growth %+v: want an interval around the exponent, axis n, 12 values", g)
		}
	}
	for key, want := range map[string]float64{"a": 1, "b": 0, "aposition=last": 1, "bposition=last": 0} {
		if got, ok := exponents[key]; !ok || math.Abs(got-want) > 0.01 {
			t.Errorf("exponent of %s is %v, want %v", key, got, want)
		}
	}
	if s.Pairs != 12 || s.Requests != 2400 {
		t.Errorf("%d pairs and %d requests; want 12 and 2400", s.Pairs, s.Requests)
	}
}

func TestVerdictOfASweepIsThatOfItsWorstCell(t *testing.T) {
	order := []string{record.None, record.Pass, record.Inconclusive, record.Regression, record.Invalid}
	for i, a := range order {
		for j, b := range order {
			if got, want := worseVerdict(a, b), order[max(i, j)]; got != want {
				t.Errorf("worseVerdict(%s, %s) = %s, want %s", a, b, got, want)
			}
		}
	}
}
