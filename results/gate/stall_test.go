package gate

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"switchback/results/record"
)

// stalledRun makes a run of blocks of 0.2 s at 1,000 requests a second, in
// which so many of the candidate's blocks stall for 200 ms at some instant.
func stalledRun(pairs, stalls int) Run {
	const requests, interval, stall = 200, 0.001, 0.2
	draw := rand.New(rand.NewPCG(5, 6))
	run := Run{Manifest: record.Manifest{Run: "stalls", Order: make([][]string, pairs)}, Tail: &Tail{Over: map[TailKey]int{}}}
	var all []float64
	times := map[TailKey][]float64{}
	for pair := range pairs {
		for order, arm := range both() {
			begin := math.Inf(1)
			if arm == "candidate" && stalls > 0 && pair%(pairs/stalls) == 3 {
				begin = 0.15 * draw.Float64()
			}
			block := make([]float64, requests)
			for i := range block {
				due := float64(i) * interval
				block[i] = 0.0003 * math.Exp(0.3*draw.NormFloat64())
				if wait := begin + stall - due; due >= begin && wait > 0 {
					block[i] += wait
				}
			}
			key := TailKey{Pair: pair, Arm: arm}
			times[key], all = block, append(all, block...)
			run.Blocks = append(run.Blocks, record.Block{Pair: pair, Order: order, Arm: arm, Launch: pair, Length: 0.2, Due: requests, Released: requests,
				Metrics: blockValues(block)})
		}
	}
	slices.Sort(all)
	run.Tail.Threshold = all[len(all)*999/1000]
	for key, block := range times {
		for _, v := range block {
			if v > run.Tail.Threshold {
				run.Tail.Over[key]++
			}
		}
	}
	return run
}

func blockValues(block []float64) []record.Value {
	sorted := slices.Sorted(slices.Values(block))
	return []record.Value{
		{Metric: "ttfb.p50", Value: sorted[len(sorted)/2], N: 200},
		{Metric: "ttfb.p95", Value: sorted[len(sorted)*95/100], N: 200},
		{Metric: "ttfb.max", Value: sorted[len(sorted)-1], N: 200},
		{Metric: "errors.ratio", N: 200},
	}
}

// Eight stalls in 160 pairs move no quantile of the blocks; the companion test
// finds them. Fewer than five are listed and not judged.
func TestStalls(t *testing.T) {
	bounds := []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}, {Metric: "ttfb.p95", MaxRegression: amount(t, "5%")}}
	for _, c := range []struct {
		stalls int
		want   string
		listed int
	}{{0, record.Pass, 0}, {4, record.Pass, 4}, {8, record.Regression, 8}} {
		s, err := Summarise(stalledRun(160, c.stalls), Rules{Arms: both(), Bounds: bounds})
		if err != nil || s.Verdict != c.want {
			t.Errorf("%d stalls: %s, want %s: %+v %v", c.stalls, s.Verdict, c.want, s.Gates, err)
		}
		listed := 0
		for _, e := range s.Events {
			if strings.HasPrefix(e, "stall: pair") && strings.Contains(e, "(candidate)") {
				listed++
			}
		}
		if listed != c.listed {
			t.Errorf("%d stalls: %d events: %q", c.stalls, listed, s.Events)
		}
		for _, g := range s.Gates {
			if (g.Verdict == record.Regression) != (g.Metric == StallMetric) {
				t.Errorf("%d stalls: gate on %s: %s", c.stalls, g.Metric, g.Verdict)
			}
		}
	}
}

// Stalls of the machine hit both arms and raise no alarm.
func TestStallsOfBothArms(t *testing.T) {
	run := stalledRun(160, 16)
	for i := range run.Blocks {
		b := &run.Blocks[i]
		if b.Pair%20 == 3 { // every other stalled pair: the stall is the baseline's
			a, c := TailKey{Pair: b.Pair, Arm: "base"}, TailKey{Pair: b.Pair, Arm: "candidate"}
			if b.Arm == "base" {
				run.Tail.Over[a], run.Tail.Over[c] = run.Tail.Over[c], run.Tail.Over[a]
			}
		}
	}
	s, err := Summarise(run, Rules{Arms: both(), Bounds: []Bound{{Metric: "ttfb.p50", MaxRegression: amount(t, "5%")}}})
	if err != nil || s.Verdict != record.Pass {
		t.Errorf("%s %v: %+v", s.Verdict, err, s.Gates)
	}
	if !slices.ContainsFunc(s.Events, func(e string) bool { return strings.Contains(e, "not more than chance") }) {
		t.Errorf("events %q tell nothing of the test", s.Events)
	}
}
