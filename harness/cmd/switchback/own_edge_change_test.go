package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"switchback/results/record"
)

// runFile runs an experiment of the text, beside further files, and returns its
// folder and run.
func runFile(t *testing.T, text string, files map[string]string) (dir string, run *record.Folder) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("HERE", dir)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "x.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("switchback", "run", "x.yaml", "--quiet", "--out", "run")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); !toItsEnd(err) {
		t.Fatalf("%v\n%s", err, out)
	}
	run, err := record.Open(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/switchback-scratch-*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	return dir, run
}

// valueOf returns the metric of a block.
func valueOf(b record.Block, metric, group string) (float64, bool) {
	for _, v := range b.Metrics {
		if v.Metric == metric && v.Group == group {
			return v.Value, true
		}
	}
	return 0, false
}

// done checks that the changes of a block were done, and those of the others
// only marked.
func done(t *testing.T, b record.Block, arm string, kinds ...string) {
	t.Helper()
	if b.Dead || b.Guard != 0.02 {
		t.Errorf("%s: died %v, guard %v s, want the default of 20 ms; notes %q", b.Arm, b.Dead, b.Guard, b.Notes)
	}
	if len(b.Windows) != len(kinds) {
		t.Fatalf("%s has the windows %+v, want %v", b.Arm, b.Windows, kinds)
	}
	for i, w := range b.Windows {
		if w.Do != kinds[i] || w.Arm != arm || w.Error != "" || (w.Began != nil) != (b.Arm == arm) {
			t.Errorf("window of %s: %+v", b.Arm, w)
		}
		if w.Began != nil && *w.Began < w.At {
			t.Errorf("done at %v s, before its time %v s", *w.Began, w.At)
		}
	}
}

// nginxOf is an arm with so many workers over the hostnames of the experiment.
func nginxOf(name string, workers int) string {
	return `  - name: ` + name + `
    reload: nginx -p {dir} -c nginx.conf -s reload
    command:
      run: nginx -p {dir} -c nginx.conf
      files:
        nginx.conf: |
          daemon off;
          worker_processes ` + strconv.Itoa(workers) + `;
          error_log stderr warn;
          pid nginx.pid;
          events { worker_connections 128; }
          http {
          access_log off;
          client_body_temp_path body;
          proxy_temp_path proxy;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
          server { listen 127.0.0.1:{{.Port}} default_server; return 404; }
          {{range .Hosts}}server { listen 127.0.0.1:{{$.Port}}; server_name {{.}}; return 200; }
          {{end}}}
`
}

const nginxLoad = `name: change
dataset: {sizes: [300]}
targets: {model: uniform, expect: any, unknown: 0%}
load: {rate: 200/s}
blocks: {pairs: 1, length: 600ms}
arms:
`

// A worker is killed and then hostnames are taken away, while nginx serves: it
// lives on, and the last hostname is no longer known.
func TestKillAndRemoveHosts(t *testing.T) {
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("nginx is not on this machine")
	}
	dir, run := runFile(t, nginxLoad+nginxOf("still", 2)+nginxOf("changed", 2)+`change:
  - {at: 100ms, window: 100ms, do: kill}
  - {at: 300ms, window: 200ms, remove_hosts: 20}
`, nil)
	for _, b := range run.Blocks {
		done(t, b, "changed", "kill", "reload")
		effect, seen := valueOf(b, "change.effect", "")
		if seen != (b.Arm == "changed") || seen && effect != b.Windows[1].Effect {
			t.Errorf("%s: effect %v, %v; windows %+v", b.Arm, effect, seen, b.Windows)
		}
		if b.Arm == "changed" && b.Windows[1].RemoveHosts != 20 {
			t.Errorf("windows %+v", b.Windows)
		}
	}
	if w := run.Summary.Windows; len(w) != 2 || w[0].Do != "kill" || w[0].At != 0.1 || w[1].Length != 0.2 || w[0].Began != nil {
		t.Errorf("the summary's windows are %+v", w)
	}
	page, err := os.ReadFile(filepath.Join(dir, "run", "report.html"))
	if want := "windows of the change: kill of changed 100 ms into a block, reload of changed 300 ms into a block."; err != nil || !strings.Contains(string(page), want) {
		t.Errorf("the page lacks %q, %v", want, err)
	}
}

// The only node of an edge goes down and comes back: requests in the window fail
// (and perhaps one that was under way), those of the other arm do not.
func TestNodeDownAndUp(t *testing.T) {
	_, run := runFile(t, `name: nodes
dataset: {sizes: [30]}
targets: {unknown: 0%}
load: {rate: 200/s}
blocks: {pairs: 1, length: 600ms}
arms:
  - {name: still, edge: {nodes: 1}}
  - {name: changed, edge: {nodes: 1}}
change:
  - {at: 200ms, window: 200ms, do: node_down, with: n1}
  - {at: 400ms, window: 20ms, do: node_up, with: n1}
`, nil)
	for _, b := range run.Blocks {
		done(t, b, "changed", "node_down", "node_up")
		failed := map[string]float64{}
		for _, stretch := range []string{"before", "in", "after"} {
			failed[stretch], _ = valueOf(b, "errors.ratio", "change="+stretch)
		}
		worst := failed["in"] > failed["before"] && failed["in"] > failed["after"]
		if b.Arm == "still" && len(b.Errors) > 0 || b.Arm == "changed" && !worst {
			t.Errorf("%s: errors %v", b.Arm, failed)
		}
	}
}

// Flags are flipped in the window; the arm's version of them is another then. What
// an edge refuses is in the block's window and notes.
func TestFlagsInABlock(t *testing.T) {
	_, run := runFile(t, `name: flags
dataset: {sizes: [30]}
targets: {unknown: 0%}
load: {rate: 200/s}
blocks: {pairs: 1, length: 600ms}
arms:
  - {name: still, edge: {ring: v1}}
  - {name: changed, edge: {ring: v1}}
change:
  - {at: 200ms, window: 200ms, do: flags, with: '{"ring": {"new": "v2:16", "share": 1}}'}
  - {at: 500ms, window: 50ms, do: flags, with: '{"ring": {"share": 7}}'}
`, nil)
	bytes := map[string]float64{}
	for _, b := range run.Blocks {
		bytes[b.Arm], _ = valueOf(b, "ring.bytes", "")
		if failed := b.Arm == "changed" && strings.Contains(b.Windows[1].Error, "share"); failed != (b.Arm == "changed") {
			t.Errorf("%s: %+v", b.Arm, b.Windows)
		}
		b.Windows = b.Windows[:1]
		done(t, b, "changed", "flags")
	}
	if bytes["changed"] <= bytes["still"] {
		t.Errorf("bytes of the rings: %v; the changed arm has built a second one", bytes)
	}
}

// The memory of a server is that of all its processes: nginx with four workers,
// against a sum by hand from /proc while it serves.
func TestMemoryOfAllWorkers(t *testing.T) {
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("nginx is not on this machine")
	}
	dir, run := runFile(t, nginxLoad+nginxOf("four", 4)+`change:
  - {at: 300ms, window: 200ms, arm: four, do: run, with: 'sh "$HERE/sum.sh" {pid} >"$HERE/hand.json"'}
`, map[string]string{"sum.sh": `
for p in $1 $(cat /proc/$1/task/$1/children); do grep VmRSS /proc/$p/status; done |
  awk '{sum += $2; if ($2 > most) most = $2} END {printf "{\"processes\": %d, \"sum\": %d, \"most\": %d}", NR, sum * 1024, most * 1024}'
`})
	text, err := os.ReadFile(filepath.Join(dir, "hand.json"))
	if err != nil {
		t.Fatal(err)
	}
	var hand struct{ Processes, Sum, Most float64 }
	if err := json.Unmarshal(text, &hand); err != nil {
		t.Fatal(err)
	}
	done(t, run.Blocks[0], "four", "run")
	for _, metric := range []string{"edge.memory.peak", "edge.memory.mean", "change.memory.peak"} {
		measured, known := valueOf(run.Blocks[0], metric, "")
		if !known || measured < 0.95*hand.Sum || measured > 1.05*hand.Sum {
			t.Errorf("%s is %v, %v; by hand %v", metric, measured, known, hand.Sum)
		}
	}
	if hand.Processes != 5 || hand.Sum < 2*hand.Most {
		t.Errorf("by hand: %+v; want a master and four workers", hand)
	}
}
