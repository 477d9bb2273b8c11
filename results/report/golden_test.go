package report

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unicode/utf8"

	"strings"

	"switchback/results/record"
)

// golden compares got with testdata/name and writes testdata/name.got when
// they differ.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		if err := os.WriteFile(path+".got", []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Errorf("text differs from %s; see %s.got (%v)", path, path, err)
	}
}

func text(t *testing.T, run Run, o TextOptions) string {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, run, o); err != nil {
		t.Fatal(err)
	}
	for i, l := range strings.Split(b.String(), "\n") {
		if strings.HasPrefix(l, "run: ") || strings.HasPrefix(l, "more: ") {
			continue // a path, to be copied whole
		}
		if n := utf8.RuneCountInString(l); !o.Color && n > o.width() {
			t.Errorf("line %d has %d columns, at most %d: %q", i+1, n, o.width(), l)
		}
	}
	return b.String()
}

func TestTextGolden(t *testing.T) {
	for name, c := range map[string]struct {
		run Run
		o   TextOptions
	}{
		"routing.txt":        {routingRun(), TextOptions{}},
		"routing-color.txt":  {routingRun(), TextOptions{Color: true}},
		"routing-narrow.txt": {routingRun(), TextOptions{Width: 50}},
		"routing-60.txt":     {routingRun(), TextOptions{Width: 60}},
		"aa.txt":             {sameRun(), TextOptions{}},
		"invalid.txt":        {invalidRun(), TextOptions{}},
		"hostile.txt":        {hostileRun(), TextOptions{}},
		"sweep.txt":          {sweepRun(), TextOptions{}},
		"single.txt":         {singleRun(), TextOptions{}},
		"gates.txt":          {gatesRun(), TextOptions{}},
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, text(t, c.run, c.o)) })
	}
}

func inf() float64 { return math.Inf(1) }

func measured(name, group, unit string, base, arm float64, c record.Change) record.Metric {
	m := record.Metric{Name: name, Group: group, Unit: unit, Arms: map[string]float64{"legacy": base, "hashed": arm}}
	if c == (record.Change{}) {
		m.Pooled = true
		return m
	}
	c.Pairs = 12
	m.Change = map[string]record.Change{"hashed": c}
	return m
}

func change(ratio, low, high float64) record.Change {
	return record.Change{Ratio: ratio, Low: low, High: high, P: 0.0005}
}

func diff(diff, low, high float64) record.Change {
	return record.Change{Diff: diff, Low: low, High: high, IsDiff: true, P: 0.5}
}

func routingRun() Run {
	s := record.Summary{
		Experiment: "pages-routing", Run: "20261130T010203Z-pages-routing-7f3a", Seed: 1,
		Baseline: "legacy", Arms: []string{"legacy", "hashed"},
		Pairs: 12, Launches: 12, Requests: 12240, Confidence: 0.95, Verdict: record.Pass,
		Metrics: []record.Metric{
			measured("ttfb.p50", "", "s", 0.00231, 0.000412, change(0.178, 0.159, 0.198)),
			measured("ttfb.p90", "", "s", 0.0171, 0.00912, change(0.533, 0.471, 0.602)),
			measured("ttfb.p99", "", "s", 0.152, 0.0201, change(0.132, 0.101, 0.149)),
			measured("edge.cpu", "", "s/request", 0.0081, 0.00031, change(0.0383, 0.0372, 0.0401)),
			measured("edge.memory.peak", "", "bytes", 212<<20, 96<<20, change(0.453, 0.431, 0.467)),
			measured("kv.lru.hit_ratio", "", "ratio", 0.921, 0.992, diff(0.071, 0.069, 0.073)),
			measured("origin.requests", "", "1/1000", 131.2, 131.1, diff(-0.1, -0.4, 0.3)),
			measured("errors.ratio", "", "ratio", 0, 0, diff(0, 0, 0)),
			measured("ttfb.p50", "size=10", "s", 0.000512, 0.000498, change(0.973, 0.962, 1.01)),
			measured("ttfb.p50", "size=10000", "s", 0.141, 0.0011, change(0.0078, 0.0071, 0.0085)),
			measured("ttfb.p90", "size=10000", "s", 0.199, 0.0121, record.Change{}),
			measured("ttfb.p50", "position=last", "s", 0.181, 0.0011, record.Change{}),
			measured("ttfb.p90", "position=last", "s", 0.191, 0.0101, record.Change{}),
			measured("ttfb.p99", "position=last", "s", 0.212, 0.0251, record.Change{}),
			measured("ttfb.p50", "position=first", "s", 0.111, 0.0011, record.Change{}),
		},
		Validity: record.Validity{OK: true},
		Gates: []record.Gate{{Metric: "ttfb.p50", Group: "size=10000", Arm: "hashed", Bound: "max_regression 5%", Margin: 0.05, Alpha: 0.05,
			Lower: 0.0069, Upper: 0.0088, P: 1, Verdict: record.Pass, Line: 24, Pairs: 12, MDE: 0.081}},
	}
	return Run{Summary: s, Manifest: machine(), Blocks: blocks(), Folder: "results/runs/20261130T010203Z-pages-routing-7f3a"}
}

func machine() record.Manifest {
	return record.Manifest{Kernel: "Linux 6.12.0", MachineKind: record.MachineKind{CPU: "AMD EPYC", CPUs: 2, MemoryGiB: 4, Architecture: "amd64"}}
}

// blocks are twelve pairs whose second block is two per cent slower.
func blocks() []record.Block {
	var all []record.Block
	for pair := range 12 {
		for order := range 2 {
			arm, value := "legacy", 0.002
			if (pair+order)%2 == 1 {
				arm, value = "hashed", 0.0004
			}
			value *= 1 + 0.02*float64(order) + 0.001*float64(pair)
			all = append(all, record.Block{Pair: pair, Order: order, Arm: arm, Start: time.Unix(int64(pair), 0), Length: 3.4,
				Metrics:   []record.Value{{Metric: "ttfb.p50", Value: value, N: 510}},
				Generator: record.Generator{CPU: 0.9, Spin: 0.22, LatenessP99: 80e-6, HiccupP99: 61e-6, HiccupMax: 1.2e-3, GCPauseMax: 40e-6, Foreign: 0.003 * float64(pair)}})
		}
	}
	return all
}

func sameRun() Run {
	r := routingRun()
	r.Summary.Experiment, r.Summary.Pairs, r.Summary.Verdict = "aa", 2, record.Inconclusive
	r.Summary.Metrics = []record.Metric{
		measured("ttfb.p50", "", "s", 0.000412, 0.000411, record.Change{Ratio: 0.998, Low: 0, High: inf(), P: 0.5}),
		measured("ttfb.p90", "", "s", 0.00912, 0.00914, change(1.002, 0.98, 1.021)),
	}
	r.Summary.Gates = []record.Gate{
		{Metric: "ttfb.p50", Arm: "hashed", Bound: "max_regression 5%", Margin: 0.05, Alpha: 0.01, Lower: 0, Upper: inf(), P: 0.25, Verdict: record.Inconclusive, Pairs: 2, PairsNeeded: 40},
		{Metric: "errors.ratio", Arm: "hashed", Bound: "max_increase 0.1%", Margin: 0.001, Alpha: 0.01, Lower: -0.0001, Upper: 0.0002, P: 0.25, Verdict: record.Pass, Pairs: 40, MDE: 0.0012},
	}
	return r
}

func invalidRun() Run {
	r := routingRun()
	r.Summary.Verdict = record.Invalid
	r.Summary.Validity = record.Validity{Notes: []string{
		"lateness p99 2.1 ms is above 1 ms in 5 of 24 blocks: the generator could not keep its schedule, so its figures are about itself",
	}}
	r.Summary.Events = []string{"pair 3, legacy: a stall of 212 ms; 34 requests above 199 ms"}
	r.Summary.Gates, r.Folder, r.Blocks = nil, "", nil
	return r
}

// sweepRun has two cells and nothing that covers them both.
func sweepRun() Run {
	r := routingRun()
	r.Summary.Experiment = "scale"
	r.Summary.Metrics = []record.Metric{
		measured("ttfb.p50", "sweep=n_1000", "s", 0.00231, 0.000412, change(0.178, 0.159, 0.198)),
		measured("edge.cpu", "sweep=n_1000", "s/request", 0.0081, 0.00031, change(0.0383, 0.0372, 0.0401)),
		measured("ttfb.p50", "sweep=n_10", "s", 0.000231, 0.000228, change(0.987, 0.978, 1.002)),
		measured("answers.differ", "sweep=n_10", "ratio", 0, 0.001, diff(0.001, 0.0005, 0.002)),
	}
	r.Summary.Gates = nil
	r.Blocks = append(blocks(), blocks()...)
	for i := range r.Blocks {
		r.Blocks[i].Cell = []string{"n_10", "n_1000"}[i*2/len(r.Blocks)]
	}
	return r
}

// singleRun has no arm to compare with.
func singleRun() Run {
	r := routingRun()
	r.Summary.Arms, r.Summary.Gates, r.Summary.Verdict = []string{"legacy"}, nil, record.None
	for i := range r.Summary.Metrics {
		r.Summary.Metrics[i].Change = nil
		r.Summary.Metrics[i].Arms = map[string]float64{"legacy": r.Summary.Metrics[i].Arms["legacy"]}
	}
	return r
}

// gatesRun has a gate of every kind, and every verdict.
func gatesRun() Run {
	r := routingRun()
	r.Summary.Verdict = record.Regression
	r.Summary.Metrics = r.Summary.Metrics[:1]
	g := func(metric, bound string, lower, upper float64, verdict string) record.Gate {
		return record.Gate{Metric: metric, Arm: "hashed", Bound: bound, Alpha: 0.0375, Lower: lower, Upper: upper, P: 0.031, Verdict: verdict, Pairs: 20}
	}
	r.Summary.Gates = []record.Gate{
		g("ttfb.p50", "max_regression 5%", 1.18, 1.21, record.Regression),
		g("ttfb.p50", "min_improvement 10%", 0.4, 0.7, record.Pass),
		g("ttfb.p99", "max 10ms", 0.0012, 0.0019, record.Pass),
		g("origin.requests", "max_increase 5", -1, 7, record.Inconclusive),
		g("kv.lru.hit_ratio", "max_increase 1%", 0.02, 0.03, record.Regression),
		g("edge.memory.peak", "max 1GiB", -inf(), inf(), record.Inconclusive),
		g("ttfb.p90", "max_regression 5%", 0, inf(), record.Regression),
		g("page.p50", "max_regression 5%", -inf(), inf(), record.Invalid),
	}
	r.Summary.Gates[3].PairsNeeded = 131
	r.Summary.Gates[6].Reason = "the arm died"
	r.Summary.Gates[7].Reason = "nothing to compare: no pair of blocks has values of both arms"
	return r
}

// hostileRun has names that would break a terminal or a table.
func hostileRun() Run {
	r := routingRun()
	evil := "\x1b[2J\u202eevil\x00\u0301" + strings.Repeat("x", 10000)
	r.Summary.Experiment = evil
	r.Summary.Arms = []string{"legacy", evil}
	r.Summary.Metrics = append(r.Summary.Metrics[:2:2], record.Metric{Name: "ttfb.p50", Group: "size=" + evil, Unit: "s",
		Arms: map[string]float64{"legacy": 1, evil: 2}, Change: map[string]record.Change{evil: change(2, 1.9, 2.1)}})
	r.Summary.Validity.Notes = []string{evil}
	r.Summary.Events = []string{evil}
	r.Summary.Gates = []record.Gate{{Metric: evil, Arm: evil, Bound: evil, Reason: evil, Verdict: evil}}
	r.Summary.Verdict, r.Folder, r.Manifest.MachineKind.CPU = evil, evil, evil
	return r
}
