package experiment

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// twoArms is a file that is right, of 5 lines; a test's own text begins on line 6.
const twoArms = `name: x
dataset: {sizes: [1000, 10], tail: 0}
arms:
  - {name: a, edge: {router: legacy}}
  - {name: b, edge: {router: hashed}}
`

func TestAFaultTellsLineAndWhatWasExpected(t *testing.T) {
	for _, test := range []struct {
		about, text, want string
	}{
		{"empty file", "", `f.yaml: the file is empty: expected an experiment`},
		{"no map", "- a\n", `f.yaml:1: the experiment: expected a map with keys such as name, got a list`},
		{"no name", "arms: [{name: a, edge: {}}]\n", `f.yaml: name: a name is missing`},
		{"no arms", "name: x\n", `f.yaml: arms: an experiment needs at least one arm`},
		{"two documents", twoArms + "---\nname: y\n", `f.yaml:6: expected one YAML document, got more`},
		{"open bracket", twoArms + "load: [\n", `f.yaml:6: sequence end token ']' not found`},
		{"tab", twoArms + "\tload: {}\n", `f.yaml:6: found character '	' that cannot start any token`},
		{"key twice", twoArms + "load: {}\nload: {}\n", `f.yaml:7: mapping key "load" already defined at [6:1]`},
		{"control character", twoArms + "about: a\x07b\n", `f.yaml:6: control character U+0007 is not allowed`},
		{"escaped control character", twoArms + "about: \"a\\x07b\"\n", `f.yaml:6: about: control characters are not allowed, got "a\ab"`},
		{"not UTF-8", "name: \xff\n", `f.yaml: the file is not UTF-8 text`},
		{"tag", twoArms + "about: !!str x\n", `f.yaml:6: tags are not allowed, got "!!str"`},

		{"misspelt section", twoArms + "blokcs: {}\n", `f.yaml:6: unknown key "blokcs" in the experiment: did you mean blocks?`},
		{"misspelt key", twoArms + "blocks: {pair: 3}\n", `f.yaml:6: unknown key "pair" in blocks: did you mean pairs?`},
		{"misspelt key of an arm", "name: x\narms:\n  - name: a\n    edge:\n      ruoter: legacy\n", `f.yaml:5: unknown key "ruoter" in arms[0].edge: did you mean router?`},
		{"misspelt key of the dataset", "name: x\ndataset: {size: [1]}\n", `f.yaml:2: unknown key "size" in dataset: did you mean sizes?`},
		{"key far from all", twoArms + "origin: {zzzzzzzzzz: 1}\n", `f.yaml:6: unknown key "zzzzzzzzzz" in origin: expected delay, errors or concurrency`},
		{"no text as key", twoArms + "null: x\n", `f.yaml:6: the experiment: expected a key, got nothing`},

		{"text for a number", twoArms + "blocks: {pairs: twelve}\n", `f.yaml:6: blocks.pairs: expected a whole number, got text "twelve"`},
		{"quoted number", twoArms + "blocks: {pairs: \"12\"}\n", `f.yaml:6: blocks.pairs: expected a whole number, got text "12"`},
		{"fraction for a whole number", twoArms + "blocks: {pairs: 1.5}\n", `f.yaml:6: blocks.pairs: expected a whole number, got 1.5`},
		{"hexadecimal", twoArms + "blocks: {pairs: 0x10}\n", `f.yaml:6: blocks.pairs: expected a whole number, got 0x10`},
		{"not a number", twoArms + "gate: {alpha: .nan, bounds: [{metric: ttfb.p50, max_regression: 5%}]}\n", `f.yaml:6: gate.alpha: expected a number, got .nan`},
		{"list for a map", twoArms + "load: [a]\n", `f.yaml:6: load: expected a map with keys such as engine, got a list`},
		{"map for a list", "name: x\narms: {a: b}\n", `f.yaml:2: arms: expected a list, got a map`},
		{"nothing", twoArms + "load:\n", `f.yaml:6: load: expected a map with keys such as engine, got nothing`},
		{"duration without unit", twoArms + "blocks: {length: 3}\n", `f.yaml:6: blocks.length: expected a duration with its unit, such as 3.4s or 20ms, got "3"`},
		{"size without unit", "name: x\narms: [{name: a, edge: {lru: 64}}]\n", `f.yaml:2: arms[0].edge.lru: expected a size with its unit, such as 64MiB, got "64"`},
		{"rate in percent", twoArms + "load: {rate: 150%}\n", `f.yaml:6: load.rate: expected a rate in requests per second, such as 150/s, got "150%"`},
		{"no error of the baseline", twoArms + "blocks: {max_baseline_errors: 0%}\n", `f.yaml:6: blocks.max_baseline_errors: expected a share above 0% and up to 100%, got 0%`},
		{"group of no target", twoArms + "gate: [{metric: ttfb.mean, group: size=77, max: 1s}]\n", `f.yaml:6: gate.bounds[0].group: "size=77": no target has it: expected a size of the dataset, or a power of ten`},
		{"share without unit", twoArms + "origin: {errors: 0.1}\n", `f.yaml:6: origin.errors: expected a share in percent, such as 0.1%, got "0.1"`},

		{"rate 0", twoArms + "load: {rate: 0/s}\n", `f.yaml:6: load.rate: expected a rate above 0/s and at most 1000000/s, got 0/s`},
		{"no connections", twoArms + "load: {connections: 0}\n", `f.yaml:6: load.connections: expected 1 to 60000, got 0`},
		{"unknown engine", twoArms + "load: {engine: vegetta}\n", `f.yaml:6: load.engine: unknown word "vegetta": did you mean vegeta?`},
		{"unknown law", twoArms + "load: {arrivals: poison}\n", `f.yaml:6: load.arrivals: "poison": want one of poisson, constant, ramp, steps, sine, burst, concurrency`},
		{"closed loop without an end", twoArms + "load: {arrivals: concurrency}\n", `f.yaml:6: load.arrivals: a block of a closed loop lasts as long as its requests: give their number in targets.per_block`},
		{"closed loop with a rate", twoArms + "load: {arrivals: concurrency, rate: 1/s}\ntargets: {per_block: {10: 5}}\n", `f.yaml:6: load.rate: arrivals: concurrency is a closed loop and has no rate`},
		{"open loop with concurrency", twoArms + "load: {concurrency: 2}\n", `f.yaml:6: load.concurrency: only arrivals: concurrency has a concurrency`},
		{"delay law", twoArms + "origin: {delay: \"normal(5ms, 1)\"}\n", `f.yaml:6: origin.delay: expected a delay up to 1m such as 5ms or lognormal(5ms, 0.5), got "normal(5ms, 1)"`},
		{"delay sigma", twoArms + "origin: {delay: \"lognormal(5ms, 9)\"}\n", `f.yaml:6: origin.delay: expected a sigma from 0 to 3, got "9"`},
		{"errors above all", twoArms + "origin: {errors: 101%}\n", `f.yaml:6: origin.errors: expected 0% to 100%, got 101%`},

		{"arm twice", "name: x\narms:\n  - {name: a, edge: {}}\n  - {name: a, edge: {}}\n", `f.yaml:4: arms[1].name: an arm named "a" stands above`},
		{"arm's name", "name: x\narms: [{name: A/b, edge: {}}]\n", `f.yaml:2: arms[0].name: expected a name of at most 32 letters a-z, digits, dots, dashes and underscores that starts with a letter or digit, got "A/b"`},
		{"arm without kind", "name: x\narms: [{name: a}]\n", `f.yaml:2: arms[0]: expected exactly one of edge, command and url, got 0`},
		{"arm of two kinds", "name: x\narms: [{name: a, edge: {}, url: \"http://h\"}]\n", `f.yaml:2: arms[0]: expected exactly one of edge, command and url, got 2`},
		{"profiles of an edge", "name: x\narms: [{name: a, edge: {}, pprof_url: \"http://127.0.0.1:1\"}]\n", `f.yaml:2: arms[0].pprof_url: the built-in edge serves profiles on its admin listener: pprof_url is that of a command or url`},
		{"profiles from elsewhere", "name: x\ntargets: {hosts: h}\narms: [{name: a, command: c, pprof_url: \"http://10.0.0.1:{port}\"}]\n", `f.yaml:3: arms[0].pprof_url: 10.0.0.1:1 is neither on loopback nor the arm's own host`},
		{"table life without table", "name: x\narms: [{name: a, edge: {table_life: lru}}]\n", `f.yaml:2: arms[0].edge.table_life: only router: legacy has tables`},
		{"neighbours without values", "name: x\narms: [{name: a, edge: {neighbours: 5/s}}]\n", `f.yaml:2: arms[0].edge.neighbours: the store has no neighbours to read: set dataset.neighbours`},
		{"neighbours at a high rate", "name: x\ndataset: {neighbours: 9}\narms: [{name: a, edge: {neighbours: 100001/s}}]\n", `f.yaml:3: arms[0].edge.neighbours: expected 0/s to 100000/s, got 100001/s`},
		{"neighbours below none", "name: x\ndataset: {neighbours: -1}\narms: [{name: a, edge: {}}]\n", `f.yaml:2: dataset.neighbours: expected 0 to 100000000, got -1`},
		{"ring", "name: x\narms: [{name: a, edge: {ring: v4}}]\n", `f.yaml:2: arms[0].edge.ring: expected a ring such as v1, v2:16, v3:160 or v1+v2:16, got "v4": ring "v4": want v1, v2:M or v3:M`},
		{"three rings", "name: x\narms: [{name: a, edge: {ring: v1+v2+v3}}]\n", `f.yaml:2: arms[0].edge.ring: expected a ring such as v1, v2:16, v3:160 or v1+v2:16, got "v1+v2+v3": ring "v2+v3": want v1, v2:M or v3:M`},
		{"one ring in two notations", "name: x\narms: [{name: a, edge: {ring: v2+v2:160}}]\n", `f.yaml:2: arms[0].edge.ring: expected one ring or two different ones, got "v2+v2:160"`},
		{"ring twice", "name: x\narms: [{name: a, edge: {ring: v1+v1}}]\n", `f.yaml:2: arms[0].edge.ring: expected one ring or two different ones, got "v1+v1"`},
		{"nodes", "name: x\narms: [{name: a, edge: {nodes: 0}}]\n", `f.yaml:2: arms[0].edge.nodes.count: expected 1 to 65536, got 0`},
		{"weights", "name: x\narms: [{name: a, edge: {nodes: {weights: 10-1}}}]\n", `f.yaml:2: arms[0].edge.nodes.weights: "10-1": want N, or LOW-HIGH with LOW ≤ HIGH, from 1 to 1000000`},
		{"pareto", "name: x\narms: [{name: a, edge: {nodes: {weights: \"pareto:0.1\"}}}]\n", `f.yaml:2: arms[0].edge.nodes.weights: "pareto:0.1": want pareto:A with A from 0.5 to 100`},
		{"url", "name: x\narms: [{name: a, url: localhost:80}]\n", `f.yaml:2: arms[0].url: expected a URL such as http://127.0.0.1:8080, without path, got "localhost:80"`},
		{"wire and TLS", "name: x\nload: {engine: wire}\narms: [{name: a, url: \"https://h\"}]\n", `f.yaml:3: arms[0].url: the wire engine speaks cleartext HTTP/1.1: use engine vegeta for https`},
		{"empty command", "name: x\narms: [{name: a, command: \" \"}]\n", `f.yaml:2: arms[0].command.run: a command is missing`},
		{"ready", "name: x\narms: [{name: a, command: {run: x, ready: soon}}]\n", `f.yaml:2: arms[0].command.ready: expected tcp, an HTTP path such as /healthz, or output: TEXT, got "soon"`},
		{"file outside", "name: x\narms: [{name: a, command: {run: x, files: {../y: z}}}]\n", `f.yaml:2: arms[0].command.files.../y: expected a name inside the arm's folder, got "../y"`},

		{"baseline", twoArms + "blocks: {baseline: c}\n", `f.yaml:6: blocks.baseline: no arm is named "c": did you mean a?`},
		{"short block", twoArms + "blocks: {length: 100ms}\n", `f.yaml:6: blocks.length: expected at least ten times the guard of 20ms, got 100ms`},
		{"long block", twoArms + "blocks: {length: 1h}\nload: {rate: 100000/s}\n", `f.yaml:6: blocks.length: 1h0m0s at 100000/s are 360000000 requests a block: expected at most 10000000`},
		{"warm-up", twoArms + "blocks: {warmup: until settled}\n", `f.yaml:6: blocks.warmup: expected a duration up to 1h such as 2s, or settled, got "until settled"`},
		{"long warm-up", twoArms + "blocks: {warmup: 2h}\n", `f.yaml:6: blocks.warmup: expected a duration up to 1h such as 2s, or settled, got "2h"`},
		{"pairs 0", twoArms + "blocks: {pairs: 0}\n", `f.yaml:6: blocks.pairs: expected 1 to 100000, got 0`},

		{"size twice", "name: x\ndataset: {sizes: [10, 10]}\narms: [{name: a, edge: {}}]\n", `f.yaml:2: dataset.sizes[1]: size 10 stands twice: groups are named by size`},
		{"dataset file and settings", "name: x\ndataset: {file: d, tail: 3}\narms: [{name: a, edge: {}}]\n", `f.yaml:2: dataset.file: a file leaves no room for other settings of the dataset`},
		{"targets file and settings", twoArms + "targets: {file: t, assets: 3}\n", `f.yaml:6: targets.file: a file leaves no room for other settings of the targets`},
		{"size of no project", twoArms + "targets: {per_block: {1000: 5, 500: 5}}\n", `f.yaml:6: targets.per_block.500: the dataset has no such projects: expected 1000, 10 or unknown`},
		{"tail of none", twoArms + "targets: {per_block: {tail: 5}}\n", `f.yaml:6: targets.per_block.tail: the dataset has no such projects: expected 1000, 10 or unknown`},
		{"rate and per_block", twoArms + "targets: {per_block: {10: 300}}\nload: {rate: 150/s}\n", `f.yaml:7: load.rate: targets.per_block holds 300 requests, but 150/s for 1s are 150: leave out the rate, or make length 2s`},

		{"gate without bounds", twoArms + "gate: []\n", `f.yaml:6: gate: no bounds: a gate that compares nothing is no gate`},
		{"misspelt metric", twoArms + "gate: [{metric: ttbf.p50, max_regression: 5%}]\n", "f.yaml:6: gate.bounds[0].metric: unknown metric \"ttbf.p50\": did you mean ttfb.p50? `switchback metrics` lists all"},
		{"metric far from all", twoArms + "gate: [{metric: bananas, max_regression: 5%}]\n", "f.yaml:6: gate.bounds[0].metric: unknown metric \"bananas\": `switchback metrics` lists all"},
		{"group", twoArms + "gate: [{metric: ttfb.p50, group: siez=10, max_regression: 5%}]\n", `f.yaml:6: gate.bounds[0].group: expected a group such as size=10000: one of size, position, cache, change, colo, step or sweep with =VALUE, got "siez=10"`},
		{"position", twoArms + "gate: [{metric: ttfb.p50, group: position=firts, max_regression: 5%}]\n", `f.yaml:6: gate.bounds[0].group: unknown word "firts": did you mean first?`},
		{"phase of a cache state", twoArms + "gate: [{metric: phase.route.mean, group: cache=hit, max_increase: 1ms}]\n", `f.yaml:6: gate.bounds[0].group: phase.route.mean has no value in "cache=hit": cache states have ttfb, service_ttfb, latency and errors.ratio alone`},
		{"gate on no arm", twoArms + "gate: [{metric: ttfb.p50, arm: c, max_regression: 5%}]\n", `f.yaml:6: gate.bounds[0].arm: no arm is named "c": did you mean a?`},
		{"gate on the baseline", twoArms + "gate: [{metric: ttfb.p50, arm: a, max_regression: 5%}]\n", `f.yaml:6: gate.bounds[0].arm: "a" is the baseline: it can't be compared with itself`},
		{"gate of one arm", "name: x\narms: [{name: a, edge: {}}]\ngate: [{metric: ttfb.p50, max_regression: 5%}]\n", `f.yaml:3: gate.bounds[0].arm: one arm alone has no baseline to be compared with: give max or min`},
		{"quantile too high", twoArms + "gate: [{metric: ttfb.p99, max_regression: 5%}]\n", `f.yaml:6: gate on ttfb.p99: 100 requests of a block do not hold it; 500 would`},
		{"quantile of a size", twoArms + "targets: {per_block: {1000: 9, 10: 91}}\ngate: [{metric: ttfb.p50, group: size=1000, max_regression: 5%}]\n", `f.yaml:7: gate on ttfb.p50: 9 requests of size=1000 in a block do not hold it; 10 would`},
		{"size without its number", twoArms + "gate: [{metric: ttfb.p50, group: size=1000, max_regression: 5%}]\n", `f.yaml:6: gate on ttfb.p50: size=1000 in a block has no fixed number of requests; use targets.per_block`},
		{"too few pairs", twoArms + "gate: [{metric: ttfb.p50, max_regression: 5%}]\nblocks: {pairs: 7}\n", `f.yaml:7: 7 pairs can't reach alpha 0.05 for 2 gates; 8 would`},
		{"too few pairs for the first look", twoArms + "gate: {looks: 2, bounds: [{metric: ttfb.p50, max_regression: 5%}]}\nblocks: {pairs: 9}\n", `f.yaml:7: 9 pairs can't reach alpha 0.010000000000000002 for 2 gates; 10 would`},
		{"too few launches", twoArms + "gate: [{metric: ttfb.p50, max_regression: 5%}]\nblocks: {launch_every: 2}\n", `f.yaml:7: 6 launches can't reach alpha 0.05 for 2 gates; 8 would`},
		{"one launch", twoArms + "gate: [{metric: ttfb.p50, max_regression: 5%}]\nblocks: {launch_every: 0}\n", `f.yaml:7: 1 launches can't reach alpha 0.05 for 2 gates; 8 would`},
	} {
		t.Run(test.about, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(test.text))
			if got := fmt.Sprint(err); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			var fault *Error
			if !errors.As(err, &fault) {
				t.Errorf("%T holds no *Error", err)
			}
		})
	}
}

func TestFaultsAreReportedTogetherInOrder(t *testing.T) {
	_, err := Parse("f.yaml", []byte("name: x\nload: {rate: fast, engin: wire}\narms: 3\nblocks: {pears: 2}\n"))
	want := `f.yaml:2: load.rate: expected a rate in requests per second, such as 150/s, got "fast"
f.yaml:2: unknown key "engin" in load: did you mean engine?
f.yaml:3: arms: expected a list, got 3
f.yaml:4: unknown key "pears" in blocks: did you mean pairs?`
	if got := fmt.Sprint(err); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, err = Parse("f.yaml", []byte("name: x\n"+strings.Repeat("arms:\n", 1)+strings.Repeat("  - {name: A, edge: {router: y}}\n", 32)))
	if lines := strings.Split(fmt.Sprint(err), "\n"); len(lines) != maxErrors+1 || !strings.HasSuffix(lines[maxErrors], "more") {
		t.Errorf("%d lines, want %d and a count", len(lines), maxErrors)
	}
}

func TestABuiltInNameIsSuggested(t *testing.T) {
	_, err := Builtin("pages-ruoting")
	if want := "pages-ruoting: no built-in experiment has this name: did you mean pages-routing?"; fmt.Sprint(err) != want {
		t.Errorf("got %v", err)
	}
	if _, err := Builtin("../builtin"); err == nil {
		t.Error("a path was taken for a name")
	}
}

func TestAFileThatIsNotThere(t *testing.T) {
	if _, err := Load(t.TempDir() + "/none.yaml"); err == nil || !strings.HasPrefix(err.Error(), "reading experiment: open ") {
		t.Errorf("got %v", err)
	}
}

func TestAliasesAndMerges(t *testing.T) {
	e := parse(t, `name: x
arms:
  - {name: a, edge: &edge {lru: &small 16MiB, cache: *small, colo: fra}}
  - {name: b, edge: {<<: *edge, colo: ams}}
`)
	a, b := *e.Arms[0].Edge, *e.Arms[1].Edge
	if a.LRU != 16<<20 || a.Cache != 16<<20 || a.Colo != "fra" {
		t.Errorf("arm a is %+v", a)
	}
	if a.Colo = "ams"; a != b {
		t.Errorf("arm b is %+v", b)
	}
	for text, want := range map[string]string{
		"about: *none\n":           "f.yaml:6: no anchor &none stands before *none",
		"load: &l {<<: *l}\n":      "f.yaml:6: *l contains itself",
		"load: {<<: 3}\n":          "f.yaml:6: load: << expects an alias of a map, got 3",
		"about: &a x\nname: *a3\n": `f.yaml:7: mapping key "name" already defined at [1:1]`,
	} {
		if _, err := Parse("f.yaml", []byte(twoArms+text)); fmt.Sprint(err) != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Small files that stand for large ones, deep ones and large ones are refused
// before they cost much: without the bounds the first of them would not end.
func TestBombsAreRefused(t *testing.T) {
	for about, test := range map[string]struct{ text, want string }{
		"a billion laughs":  {laughs(), "values after its aliases are written out"},
		"a chain of merges": {merges(3000), "values after its aliases are written out"},
		"deep flow":         {"a: " + strings.Repeat("[", 40_000), "nested more than 32 levels deep"},
		"deep blocks":       {strings.Repeat("- ", 40_000) + "a", "nested more than 32 levels deep"},
		"deep maps":         {deep(), "nested more than 32 levels deep"},
		"large":             {strings.Repeat("#\n", 1<<19) + "#", "the file is larger than 1MiB"},
		"many words":        {unknownKeys(50_000), "the file holds more than 50000 words"},
		"many unknown keys": {unknownKeys(10_000), "and 80 more"},
	} {
		t.Run(about, func(t *testing.T) {
			if _, err := Parse("f.yaml", []byte(test.text)); !strings.Contains(fmt.Sprint(err), test.want) {
				t.Errorf("got %.300v", err)
			}
		})
	}
}

func laughs() string {
	var b strings.Builder
	b.WriteString("name: x\nsweep:\n  - key: load.rate\n    values:\n      - &a0 [x]\n")
	for i := range 30 {
		fmt.Fprintf(&b, "      - &a%d [%s]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9)+fmt.Sprintf("*a%d", i))
	}
	return b.String()
}

func merges(n int) string {
	var b strings.Builder
	b.WriteString("name: x\nsweep:\n  - key: load.rate\n    values:\n      - &a0 {k: 1}\n")
	for i := range n {
		fmt.Fprintf(&b, "      - &a%d {<<: *a%d, k%d: 1}\n", i+1, i, i)
	}
	return b.String()
}

func deep() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "%s k%d:\n", strings.Repeat(" ", i), i)
	}
	return b.String()
}

func unknownKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "unknown%d: x\n", i)
	}
	return b.String()
}

func TestMessagesQuoteHostileTextShortly(t *testing.T) {
	_, err := Parse("f.yaml", []byte("name: x\n\"\u202e"+strings.Repeat("<", 5000)+"\": 1\n"))
	if got := err.Error(); len(got) > 300 || !strings.Contains(got, `\u202e<<`) {
		t.Errorf("got %q", got)
	}
}
