package experiment

import (
	"fmt"
	"reflect"
	"testing"
)

const swept = `name: x
dataset: {tail: 5}
arms:
  - {name: a, edge: {router: legacy}}
  - {name: b, edge: {router: hashed}}
blocks: {pairs: 12}
gate: [{metric: ttfb.p50, max_regression: 5%}]
sweep:
  - name: deployments
    points:
      - {label: 10, set: {dataset.sizes: [10], targets.per_block: {10: 60, unknown: 6}}}
      - label: 1000
        set: {dataset.sizes: [1000], targets.per_block: {1000: 12}, blocks.length: 2s}
  - {key: arms.*.edge.lru, values: [16MiB, 64MiB, 256MiB]}
`

func cellsOf(t *testing.T, e *Experiment) []Cell {
	t.Helper()
	cells, err := e.Cells()
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func TestCellsAreTheProductOfTheAxes(t *testing.T) {
	cells := cellsOf(t, parse(t, swept))
	var names []string
	for _, c := range cells {
		names = append(names, c.Name)
		if len(c.Experiment.Sweep) != 0 {
			t.Errorf("%s has a sweep of its own", c.Name)
		}
	}
	want := []string{
		"deployments=10,lru=16MiB", "deployments=10,lru=64MiB", "deployments=10,lru=256MiB",
		"deployments=1000,lru=16MiB", "deployments=1000,lru=64MiB", "deployments=1000,lru=256MiB",
	}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("cells %v, want %v", names, want)
	}
	at := []Coordinate{{"deployments", "1000", 1000, true}, {"lru", "16MiB", 16 << 20, true}}
	if got := cells[3].At; !reflect.DeepEqual(got, at) {
		t.Errorf("cell 3 is at %v, want %v", got, at)
	}
}

func TestACellIsACompleteExperiment(t *testing.T) {
	e := cellsOf(t, parse(t, swept))[3].Experiment
	if !reflect.DeepEqual(e.Dataset.Sizes, []int{1000}) || e.Dataset.Tail != 5 || !reflect.DeepEqual(e.Targets.PerBlock, map[string]int{"1000": 12}) {
		t.Errorf("dataset %+v, targets %+v", e.Dataset, e.Targets)
	}
	// The rate follows from the cell's own requests and length.
	if e.Load.Rate != 6 || e.Arms[0].Edge.LRU != 16<<20 || e.Arms[1].Edge.LRU != 16<<20 || e.Arms[0].Edge.Cache != 64<<20 {
		t.Errorf("rate %v, arms %+v %+v", e.Load.Rate, e.Arms[0].Edge, e.Arms[1].Edge)
	}
	// Alone it is what a file with these settings is, but for its part of alpha.
	alone := parse(t, `name: x
dataset: {tail: 5, sizes: [1000]}
targets: {per_block: {1000: 12}}
arms:
  - {name: a, edge: {router: legacy, lru: 16MiB}}
  - {name: b, edge: {router: hashed, lru: 16MiB}}
blocks: {pairs: 12, length: 2s}
gate: {alpha: 0.008333333333333333, bounds: [{metric: ttfb.p50, max_regression: 5%}]}
`)
	same(t, alone, e)
	sameBack(t, e)
}

func TestASweepLoadsBack(t *testing.T) {
	e := parse(t, swept)
	sameBack(t, e)
	short, err := e.Short()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(cellsOf(t, short)); n != 4 {
		t.Errorf("%d cells in the short form, want 4", n)
	}
	sameBack(t, short)
	sameBack(t, parse(t, swept+"  - {key: arms.b.edge.router, values: [hashed, legacy]}\n"))
}

// A point sets the whole of a setting: what the file gives below it is gone.
func TestASettingIsReplaced(t *testing.T) {
	cells := cellsOf(t, parse(t, `name: x
dataset: {sizes: [1000, 100], tail: 7}
targets: {per_block: {1000: 5, 100: 5}}
arms: [{name: a, edge: {lru: 1MiB, colo: fra}}]
sweep:
  - name: p
    points:
      - {label: whole, set: {dataset: {sizes: [10]}, targets: {per_block: {10: 3}}, arms.a.edge: {cache: 2MiB}}}
      - {label: part, set: {targets.per_block.1000: 9, arms.a.edge.cache: 2MiB}}
`))
	whole, part := cells[0].Experiment, cells[1].Experiment
	if !reflect.DeepEqual(whole.Dataset.Sizes, []int{10}) || whole.Dataset.Tail != 0 || !reflect.DeepEqual(whole.Targets.PerBlock, map[string]int{"10": 3}) {
		t.Errorf("dataset %+v, targets %+v", whole.Dataset, whole.Targets)
	}
	if e := whole.Arms[0].Edge; e.LRU != defaultLRU || e.Colo != defaultColo || e.Cache != 2<<20 {
		t.Errorf("edge %+v", e)
	}
	if !reflect.DeepEqual(part.Targets.PerBlock, map[string]int{"1000": 9, "100": 5}) || part.Dataset.Tail != 7 {
		t.Errorf("dataset %+v, targets %+v", part.Dataset, part.Targets)
	}
	if e := part.Arms[0].Edge; e.LRU != 1<<20 || e.Colo != "fra" || e.Cache != 2<<20 {
		t.Errorf("edge %+v", e)
	}
}

func TestCellsShareAlpha(t *testing.T) {
	e := parse(t, swept)
	if got := e.PairsNeeded(); got != 10 { // log2(2 gates of 6 cells / 0.05) = 7.9
		t.Errorf("%d pairs needed, want 10", got)
	}
	few, err := e.WithPairs(9)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := few.GateNote(), "gates are not judged: they need 10 pairs, this run has 9"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	for _, c := range cellsOf(t, few) {
		if !c.Experiment.Gate.ReportOnly || c.Experiment.Blocks.Pairs != 9 {
			t.Errorf("%s has %d pairs and gates", c.Name, c.Experiment.Blocks.Pairs)
		}
	}
}

func TestABoundAboutACellIsJudgedThere(t *testing.T) {
	cells := cellsOf(t, parse(t, twoArms+`gate: [{metric: ttfb.p50, group: "sweep=rate=200/s", max_regression: 5%}]
sweep: [{key: load.rate, values: [100/s, 200/s]}]
`))
	if g := cells[0].Experiment.Gate; len(g.Bounds) != 0 {
		t.Errorf("the first cell has %v", g)
	}
	if g := cells[1].Experiment.Gate; len(g.Bounds) != 1 || g.Bounds[0].Group != "" || g.Alpha != 0.05 {
		t.Errorf("the second cell has %+v", g)
	}
}

func TestWithoutASweepThereIsOneCell(t *testing.T) {
	e := parse(t, twoArms)
	if cells := cellsOf(t, e); len(cells) != 1 || cells[0].Experiment != e || cells[0].Name != "" {
		t.Errorf("cells %+v", cells)
	}
}

func TestLabelsWithoutANumberHaveNoX(t *testing.T) {
	for label, want := range map[string]Coordinate{
		"v2:16":   {"a", "v2:16", 0, false},
		"10-100":  {"a", "10-100", 0, false},
		"150/s":   {"a", "150/s", 150, true},
		"5ms":     {"a", "5ms", 0.005, true},
		"legacy":  {"a", "legacy", 0, false},
		"1000000": {"a", "1000000", 1e6, true},
	} {
		if got := coordinate("a", label); got != want {
			t.Errorf("%s is at %+v, want %+v", label, got, want)
		}
	}
}

func TestFaultsOfASweep(t *testing.T) {
	for about, test := range map[string]struct{ text, want string }{
		"neither form":       {"[{name: x}]", "f.yaml:6: sweep[0]: expected key and values, or points"},
		"both forms":         {"[{key: load.rate, values: [1/s], points: [{label: a, set: {load.rate: 1/s}}]}]", "f.yaml:6: sweep[0]: expected key and values, or points"},
		"unknown key":        {"[{kye: load.rate}]", `f.yaml:6: unknown key "kye" in sweep[0]: did you mean key?`},
		"unknown setting":    {"[{key: load.raet, values: [1/s]}]", `f.yaml:6: setting "load.raet": unknown key "raet" in load: did you mean rate?`},
		"unknown section":    {"[{key: laod.rate, values: [1/s]}]", `f.yaml:6: setting "laod.rate": unknown key "laod" in the experiment: did you mean load?`},
		"below a scalar":     {"[{key: load.rate.x, values: [1/s]}]", `f.yaml:6: setting "load.rate.x": load.rate has no keys`},
		"unknown arm":        {"[{key: arms.c.edge.lru, values: [1MiB]}]", `f.yaml:6: setting "arms.c.edge.lru": no arm has it: expected * or a or b, and a section of the arm`},
		"section of no arm":  {"[{key: arms.a.command.run, values: [x]}]", `f.yaml:6: setting "arms.a.command.run": arms[0].command is not set`},
		"section of none":    {"[{key: arms.*.command.run, values: [x]}]", `f.yaml:6: setting "arms.*.command.run": no arm has it: expected * or a or b, and a section of the arm`},
		"name":               {"[{key: name, values: [y]}]", "f.yaml:6: name is the same in all cells of a sweep"},
		"name of an arm":     {"[{key: arms.a.name, values: [y]}]", "f.yaml:6: arms.a.name is the same in all cells of a sweep"},
		"wrong type":         {"[{key: load.rate, values: [1/s, fast]}]", `f.yaml:6: load.rate: expected a rate in requests per second, such as 150/s, got "fast"`},
		"out of range":       {"[{key: load.rate, values: [1/s, 0/s]}]", "f.yaml:6: load.rate: expected a rate above 0/s and at most 1000000/s, got 0/s"},
		"value twice":        {"[{key: load.rate, values: [1/s, 1/s]}]", `f.yaml:6: sweep[0]: the point "1/s" stands twice`},
		"value without name": {"[{key: targets.per_block, values: [{10: 3}]}]", `f.yaml:6: sweep[0]: expected a short label of letters, digits and ._:+%/-, got "{10: 3}": use points, with a label for each`},
		"axis twice":         {"[{key: load.rate, values: [1/s]}, {name: rate, key: load.timeout, values: [1s]}]", `f.yaml:6: sweep[1].name: an axis named "rate" stands above: give this one another name`},
		"point of nothing":   {"[{name: p, points: [{label: a}]}]", `f.yaml:6: sweep[0]: the point "a" sets nothing`},
		"too many axes":      {"[" + axes(7, 1) + "]", "f.yaml:6: sweep: expected at most 6 axes, got 7"},
		"too many cells":     {"[" + axes(4, 6) + "]", "f.yaml:6: sweep: expected at most 1000 cells, got more"},
	} {
		t.Run(about, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(twoArms+"sweep: "+test.text+"\n"))
			if got := fmt.Sprint(err); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	_, err := Parse("f.yaml", []byte(twoArms+"gate: [{metric: ttfb.p50, group: sweep=x, max_regression: 5%}]\nsweep: [{key: load.rate, values: [100/s]}]\n"))
	if want := `f.yaml:6: gate.bounds[0].group: the sweep has no cell "x": cells are named as rate=100/s`; fmt.Sprint(err) != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// axes writes n axes of so many points each.
func axes(n, points int) string {
	text := ""
	for i := range n {
		values := ""
		for k := range points {
			values += fmt.Sprintf("%d/s, ", k+1)
		}
		text += fmt.Sprintf("{name: r%d, key: load.rate, values: [%s]}, ", i, values)
	}
	return text
}

// TestNoGrowthAlongTheLoad: an axis of the load has no place for an exponent,
// an axis of sizes has one.
func TestNoGrowthAlongTheLoad(t *testing.T) {
	const head = "name: x\ndataset: {sizes: [10]}\nload: {rate: 100/s}\narms:\n  - {name: a, edge: {router: hashed}}\nsweep:\n"
	for axis, grows := range map[string]bool{
		"  - {key: load.rate, values: [100/s, 200/s]}\n":                                      false,
		"  - {name: rate, points: [{label: 100, set: {load.rate: 100/s}}]}\n":                 false,
		"  - {key: dataset.sizes, values: [[10], [20]]}\n":                                    true,
		"  - {name: n, points: [{label: 10, set: {dataset.sizes: [10], load.rate: 50/s}}]}\n": true,
	} {
		e, err := Parse("x.yaml", []byte(head+axis))
		if err != nil {
			t.Fatal(err)
		}
		cells, err := e.Cells()
		if err != nil || cells[0].At[0].HasX != grows {
			t.Errorf("%s: %+v, %v; want %v", axis, cells[0].At, err, grows)
		}
	}
}
