package experiment

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"switchback/harness/schedule"
	"switchback/results/gate"
	"switchback/results/units"
)

// drawn is a random experiment, most of whose sections are given in part.
func drawn(t *rapid.T) *Experiment {
	maybe := func(label string) bool { return rapid.Bool().Draw(t, label) }
	e := &Experiment{
		Name:  rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,31}`).Draw(t, "name"),
		About: rapid.StringMatching(`[ -~äöü€#:{}"'|>*&!%@-]{0,40}`).Draw(t, "about"),
	}
	if maybe("dataset") {
		e.Dataset.Sizes = rapid.SliceOfNDistinct(rapid.IntRange(1, 100_000), 1, 5, rapid.ID).Draw(t, "sizes")
		e.Dataset.Tail = rapid.IntRange(0, 5000).Draw(t, "tail")
	}
	e.Dataset.Neighbours = rapid.IntRange(1, maxNeighbours).Draw(t, "neighbours")
	e.Origin = Origin{
		Delay:       rapid.SampledFrom([]string{"", "0s", "5ms", "lognormal(5ms, 0.5)"}).Draw(t, "delay"),
		Errors:      Percent(rapid.Float64Range(0, 1).Draw(t, "errors")),
		Concurrency: rapid.IntRange(0, 100).Draw(t, "origin concurrency"),
	}
	drawLoad(t, e)
	for i := range rapid.IntRange(1, 4).Draw(t, "arms") {
		e.Arms = append(e.Arms, drawArm(t, fmt.Sprintf("arm%d", i)))
	}
	guard := rapid.Int64Range(0, int64(time.Second)).Draw(t, "guard")
	e.Blocks = Blocks{
		Baseline:          e.Arms[rapid.IntRange(0, len(e.Arms)-1).Draw(t, "baseline")].Name,
		Pairs:             rapid.IntRange(20, 500).Draw(t, "pairs"),
		Length:            Duration(10*guard + int64(time.Second)),
		Guard:             Duration(guard),
		LaunchEvery:       rapid.IntRange(0, 1).Draw(t, "launch_every"),
		MaxBaselineErrors: Percent(rapid.Float64Range(1e-4, 1).Draw(t, "max_baseline_errors")),
		Warmup:            rapid.SampledFrom([]string{"", "0s", "2s", "1h", "settled"}).Draw(t, "warmup"),
	}
	if maybe("gate") {
		drawGate(t, e)
	}
	drawCheckAndChange(t, e)
	return e
}

// drawCheckAndChange draws what is asked before and done while arms serve.
func drawCheckAndChange(t *rapid.T, e *Experiment) {
	e.Check = Check{Sample: rapid.IntRange(0, 3).Draw(t, "sample"), Status: rapid.SampledFrom([]int{0, 200}).Draw(t, "status"),
		Header: rapid.MapOfN(rapid.StringMatching(`[A-Z]{1,8}`), rapid.StringMatching(`[ -~]{0,9}`), 0, 2).Draw(t, "header"),
		Agree:  len(e.Arms) > 1 && rapid.Bool().Draw(t, "agree")}
	for _, a := range e.Arms {
		if a.Reload != "" && !e.Load.closed() {
			e.Change = []Change{{At: Duration(rapid.IntRange(0, 1000).Draw(t, "at")), Window: Duration(time.Millisecond), Arm: a.Name}}
		}
	}
}

func drawLoad(t *rapid.T, e *Experiment) {
	e.Load = LoadSettings{
		Engine:      rapid.SampledFrom(append(engines(), "")).Draw(t, "engine"),
		Pooling:     rapid.SampledFrom(append(poolings(), "")).Draw(t, "pooling"),
		Connections: rapid.IntRange(1, 1000).Draw(t, "connections"),
		Timeout:     Duration(rapid.Int64Range(1e6, 1e12).Draw(t, "timeout")),
		Arrivals:    rapid.SampledFrom(append(schedule.Kinds(), "", "burst(3)")).Draw(t, "arrivals"),
	}
	if e.Load.closed() {
		e.Load.Concurrency = rapid.IntRange(1, e.Load.Connections).Draw(t, "concurrency")
		e.Targets.PerBlock = map[string]int{unknown: rapid.IntRange(1, 100).Draw(t, "unknown")}
	} else {
		e.Load.Rate = Rate(rapid.Float64Range(100, 5000).Draw(t, "rate"))
	}
}

func drawArm(t *rapid.T, name string) Arm {
	a := Arm{Name: name}
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		a.Edge = &Edge{
			Router: rapid.SampledFrom(append(routers(), "")).Draw(t, "router"),
			Ring:   rapid.SampledFrom([]string{"", "v1", "v2:16", "v3:160", "v1+v2:16"}).Draw(t, "ring"),
			Nodes:  Nodes{Count: rapid.IntRange(1, 1000).Draw(t, "nodes"), Weights: rapid.SampledFrom([]string{"", "1", "1-10", "equal", "pareto:1.5"}).Draw(t, "weights")},
			LRU:    Bytes(rapid.Int64Range(0, 1<<40).Draw(t, "lru")),
			Cache:  Bytes(rapid.Int64Range(0, 1<<20).Draw(t, "cache") << 10),

			Neighbours: Rate(rapid.IntRange(0, int(maxReads)).Draw(t, "reads of neighbours")),
		}
		if a.Edge.Router == legacy {
			a.Edge.TableLife = rapid.SampledFrom(append(tableLives(), "")).Draw(t, "table_life")
		}
	case 1:
		text := rapid.Map(rapid.StringMatching(`[ -~\n\täöü#:{}"'|>*&!%@-]{0,40}`),
			func(s string) string { return strings.ReplaceAll(s, "{{", "{") }) // no template
		a.Command = &Command{
			Run:         "serve " + rapid.StringMatching(`[ -~]{0,40}`).Draw(t, "run"),
			Env:         rapid.MapOfN(rapid.StringMatching(`[A-Z]{1,8}`), text, 0, 3).Draw(t, "env"),
			Files:       rapid.MapOfN(rapid.StringMatching(`[a-z]{1,8}\.conf`), text, 0, 3).Draw(t, "files"),
			Ready:       rapid.SampledFrom([]string{"", "tcp", "/healthz", "output: ready"}).Draw(t, "ready"),
			ReadyWithin: Duration(rapid.Int64Range(1e6, 1e11).Draw(t, "ready_within")),
		}
		a.Command.Tool = rapid.SampledFrom([]string{"", "nginx"}).Draw(t, "tool")
		a.Command.Optional = a.Command.Tool != "" && rapid.Bool().Draw(t, "optional")
		if rapid.Bool().Draw(t, "build") {
			a.Command.Build = &Build{Ref: "main", Go: rapid.SampledFrom([]string{"", "./cmd/server"}).Draw(t, "package")}
		}
		a.Reload, a.Version = rapid.SampledFrom([]string{"", "kill -HUP {pid}"}).Draw(t, "reload"), "serve -v"
	default:
		a.URL = &URL{At: fmt.Sprintf("http://127.0.0.1:%d", rapid.IntRange(1, 65535).Draw(t, "port")),
			PID: rapid.IntRange(0, 9).Draw(t, "pid")}
	}
	return a
}

func drawGate(t *rapid.T, e *Experiment) {
	share, err := units.ParseAmount(rapid.SampledFrom([]string{"0%", "5%", "0.05", "12.5%"}).Draw(t, "margin"))
	if err != nil {
		t.Fatal(err)
	}
	e.Gate = GateRules{
		Alpha:      rapid.SampledFrom([]float64{0, 0.05, 0.01}).Draw(t, "alpha"),
		ReportOnly: e.Blocks.LaunchEvery == 0 || len(e.Arms) == 1 || e.Load.closed() || rapid.Bool().Draw(t, "report_only"),
		Bounds:     []gate.Bound{{Metric: "ttfb.p50", MaxRegression: &share}},
	}
	if len(e.Arms) == 1 {
		limit, err := units.ParseAmount("5ms")
		if err != nil {
			t.Fatal(err)
		}
		e.Gate.Bounds = []gate.Bound{{Metric: "latency.p90", Max: &limit}}
	}
}

// What is loaded, with its defaults, is what loads again from what it writes,
// in full and in the short form.
func TestAnExperimentLoadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source, err := drawn(t).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		e, err := Parse("test.yaml", source)
		if err != nil {
			t.Fatal(err)
		}
		loadsBack(t, e)
		short, err := e.Short()
		if err != nil {
			t.Fatal(err)
		}
		loadsBack(t, short)
	})
}

func loadsBack(t *rapid.T, e *Experiment) {
	text, err := e.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse("test.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if want, got := bare(e), bare(back); !reflect.DeepEqual(want, got) {
		t.Fatalf("loaded back %+v\nwant %+v\nfrom\n%s", got, want, text)
	}
}

// distance is a metric.
func TestDistanceIsAMetric(t *testing.T) {
	word := rapid.StringMatching(`[a-c]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := distance(a, b)
		if (d == 0) != (a == b) || d != distance(b, a) || d > max(len(a), len(b)) || d < max(len(a)-len(b), len(b)-len(a)) {
			t.Fatalf("%q and %q are %d apart", a, b, d)
		}
	})
	for _, test := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"ttbf", "ttfb", 1}, {"pair", "pairs", 1}, {"", "abc", 3}, {strings.Repeat("a", 100), "a", 64}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("%q and %q are %d apart, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestDelays(t *testing.T) {
	for text, want := range map[string]Delay{
		"5ms": {5 * time.Millisecond, 0}, "0s": {}, "lognormal(5ms, 0.5)": {5 * time.Millisecond, 0.5}, "lognormal( 1s ,2 )": {time.Second, 2},
	} {
		if got, err := ParseDelay(text); err != nil || got != want {
			t.Errorf("%s is %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5", "-5ms", "2m", "lognormal(5ms)", "lognormal(5ms, -1)", "lognormal(5ms, NaN)", "lognormal(5ms, 4)", "lognormal(x, 1)", "lognormal(5ms, 0.5) "} {
		if got, err := ParseDelay(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

// Whatever the bytes, Parse ends with an experiment or with faults that have
// the file's name; and what it takes loads back.
func FuzzParse(f *testing.F) {
	all, err := Builtins()
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range all {
		f.Add(e.Source)
	}
	f.Add([]byte(swept))
	f.Add([]byte(scaled))
	f.Add([]byte("name: x\narms: [{name: a, command: {run: \"x\", files: {a: |\n  b\n}}}]\n"))
	f.Add([]byte("name: &a x\narms: [{name: *a, edge: &e {}}, {name: b, edge: {<<: *e}}]\n"))
	f.Fuzz(func(t *testing.T, source []byte) {
		e, err := Parse("f.yaml", source)
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				if !strings.HasPrefix(line, "f.yaml:") {
					t.Fatalf("a fault without its file: %q", line)
				}
			}
			return
		}
		sameBack(t, e)
	})
}
