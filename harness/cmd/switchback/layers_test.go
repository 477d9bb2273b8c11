package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// arrows says what each package of the module may import of it. A name that ends
// in /* stands for everything below.
var arrows = map[string][]string{
	"splitmix":         {},
	"regular":          {},
	"datasets":         {"splitmix"},
	"origin":           {"splitmix"},
	"edge/ring":        {},
	"edge/rollout":     {},
	"edge/kv":          {},
	"edge/cache":       {},
	"harness/schedule": {},
	"harness/blocks":   {"splitmix"},
	"results/stats":    {},
	"results/metric":   {},
	"results/units":    {},

	"targets":            {"datasets"},
	"targets/import":     {"targets"},
	"results/record":     {"regular", "splitmix", "results/metric"},
	"edge/routing":       {"datasets", "edge/kv"},
	"edge/publish":       {"datasets", "edge/kv", "edge/routing"},
	"edge/pipeline":      {"edge/cache", "edge/routing"},
	"edge/admin":         {"edge/rollout"},
	"edge":               {"edge/*", "datasets"},
	"results/gate":       {"results/stats", "results/record", "results/units", "results/metric"},
	"results/report":     {"targets", "results/gate", "results/stats", "results/record", "results/units", "results/metric"},
	"harness/plan":       {"edge/rollout", "edge/ring", "edge/ring/fleet", "edge/ring/analysis", "results/gate", "results/stats", "results/units", "results/metric"},
	"harness/load":       {"harness/schedule", "targets", "results/record", "results/units", "results/metric"},
	"harness/arm":        {"regular", "edge/admin", "results/record"},
	"harness/probe":      {"edge/admin", "results/record"},
	"harness/build":      {"harness/arm"},
	"harness/scratch":    {},
	"harness/caches":     {"harness/scratch", "harness/build", "datasets"},
	"harness/trace":      {"regular", "results/record", "results/metric"},
	"harness/guard":      {},
	"harness/experiment": {"datasets", "targets", "harness/schedule", "harness/blocks", "harness/plan", "harness/load", "harness/arm", "harness/probe", "edge/rollout", "edge/ring", "edge/ring/fleet", "edge/ring/analysis", "results/gate", "results/units", "results/metric"},
	"harness/runner":     {"harness/*", "targets", "datasets", "results/*", "edge/admin"},

	"harness/load/attack":     {"harness/load", "harness/schedule", "targets", "results/gate", "results/record", "results/units", "results/metric"},
	"harness/cmd/switchback":  {"*"},
	"harness/test/tally":      {},
	"harness/test/faultyedge": {"datasets", "edge", "edge/publish"},
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath string
	Imports    []string
}

// TestLayers forbids every import inside the module that has no arrow.
func TestLayers(t *testing.T) {
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "switchback/...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	packages := 0
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages++
		checkArrows(t, p)
	}
	if packages < 10 {
		t.Fatalf("go list named %d packages; expected the whole module", packages)
	}
}

func checkArrows(t *testing.T, p listed) {
	name := strings.TrimPrefix(p.ImportPath, "switchback/")
	room, allowed := roomOf(name)
	if room == "" {
		t.Errorf("%s has no row in the table of arrows", name)
		return
	}
	for _, full := range p.Imports {
		imported, inside := strings.CutPrefix(full, "switchback/")
		ownRoom := imported == room || strings.HasPrefix(imported, room+"/")
		if inside && !ownRoom && !slices.ContainsFunc(allowed, func(pattern string) bool { return matches(pattern, imported) }) {
			t.Errorf("%s imports %s; it may import %v", name, imported, allowed)
		}
	}
}

// roomOf returns the row that governs a package: its own, or that of the
// nearest folder above it.
func roomOf(name string) (room string, allowed []string) {
	for at := name; at != "."; at = path.Dir(at) {
		if allowed, ok := arrows[at]; ok {
			return at, allowed
		}
	}
	return "", nil
}

func matches(pattern, imported string) bool {
	if above, all := strings.CutSuffix(pattern, "*"); all {
		return strings.HasPrefix(imported, above)
	}
	return pattern == imported
}
