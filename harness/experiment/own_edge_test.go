package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// served is a file of two commands, of 7 lines; a test's own text begins on line 8.
const served = `name: x
targets: {hosts: h.txt}
arms:
  - {name: a, command: "serve {port}"}
  - name: b
    command: {run: "serve {port}", files: {c: "{{range .Hosts}}{{.}}{{end}}"}}
    reload: kill -HUP {pid}
`

func TestFaultsOfForeignServers(t *testing.T) {
	for _, test := range []struct{ about, text, want string }{
		{"template", "name: x\narms: [{name: a, command: {run: x, files: {y: \"{{\"}}}]\n", `f.yaml:2: arms[0].command.files.y: reading template: template: y:1: unclosed action`},
		{"mark of letters", "name: x\narms: [{name: a, command: {run: x, render: [f], placeholder: x}}]\n", `f.yaml:2: arms[0].command.placeholder: expected at most 16 signs, such as @@ for @@port@@, got "x"`},
		{"mark of no files", "name: x\narms: [{name: a, command: {run: x, placeholder: '@@'}}]\n", `f.yaml:2: arms[0].command.placeholder: it is about the files of render, and there are none`},
		{"no file's name", "name: x\narms: [{name: a, command: {run: x, render: [/]}}]\n", `f.yaml:2: arms[0].command.render: expected the path of a file, got "/"`},
		{"package without tool", "name: x\narms: [{name: a, command: {run: x, package: y}}]\n", `f.yaml:2: arms[0].command: package and optional say what a missing tool means: name the tool`},
		{"build without commit", "name: x\narms: [{name: a, command: {run: x, build: {go: .}}}]\n", `f.yaml:2: arms[0].command.build.ref: a commit is missing: expected a branch, tag or hash`},
		{"program without build", "name: x\narms: [{name: a, command: \"{build} -p {port}\"}]\n", `f.yaml:2: arms[0].command.run: {build} stands for what build makes: say what that is`},
		{"two ways to a process", "name: x\narms: [{name: a, url: {at: \"http://h\", pid: 3, pidfile: p}}]\n", `f.yaml:2: arms[0].url: expected one of pid, pidfile and cgroup, got 2`},
		{"commands of an edge", "name: x\narms: [{name: a, edge: {}, reload: x}]\n", `f.yaml:2: arms[0]: the built-in edge has no commands: setup, teardown, reload and version are those of a command or url`},
		{"arm of no experiment", "name: x\narms: [{name: a, from: nginx}]\n", `f.yaml:2: arms[0].from: expected an arm of a built-in experiment such as nginx-hosts/map, got "nginx"`},
		{"no such arm", "name: x\narms: [{name: a, from: nginx-hosts/mp}]\n", `f.yaml:2: arms[0].from: experiment nginx-hosts has no arm "mp": did you mean map?`},
		{"arm taken twice", "name: x\narms: [{name: a, from: hosts-all/varnish}]\n", `f.yaml:2: arms[0].from: the arms of hosts-all are taken from others: name those`},
		{"taken and its own", "name: x\narms: [{name: a, from: nginx-hosts/map, edge: {}}]\n", `f.yaml:2: arms[0]: an arm that is taken from another experiment has no edge, command or url of its own`},

		{"hosts and a model", served + "dataset: {tail: 5}\n", `f.yaml:8: dataset: a list of hostnames in targets.hosts leaves no room for a dataset`},
		{"hosts and bodies", "name: x\ntargets: {hosts: h, expect: body}\narms: [{name: a, command: x}]\n", `f.yaml:2: targets.expect: the answers to a list of hostnames are not known: expected any`},
		{"hosts and a size", "name: x\ntargets: {hosts: h}\narms: [{name: a, command: x}]\ngate:\n  - {metric: ttfb.mean, max: 1s}\n  - {metric: ttfb.mean, group: size=77, max: 1s}\n", `f.yaml:6: gate.bounds[1].group: "size=77": no target has it: hostnames of a list are no projects`},
		{"hosts and an edge", "name: x\ntargets: {hosts: h}\narms: [{name: a, edge: {}}]\n", `f.yaml:2: targets.hosts: a built-in edge knows the hostnames of a dataset alone`},
		{"expect", twoArms + "targets: {expect: anything}\n", `f.yaml:6: targets.expect: unknown word "anything": expected body, status or any`},

		{"body", served + "check: {body: 1234}\n", `f.yaml:8: check.body: expected sha256: and 64 hexadecimal digits, got "1234"`},
		{"status", served + "check: {status: 42}\n", `f.yaml:8: check.status: expected 100 to 599, got 42`},
		{"header", served + "check: {header: {a b: c}}\n", `f.yaml:8: check.header.a b: expected a header's name and its value`},
		{"agreement of one", "name: x\ncheck: {agree: true}\narms: [{name: a, edge: {}}]\n", `f.yaml:2: check.agree: one arm alone has none to agree with`},
		{"off and on", served + "check: {off: true, sample: 3}\n", `f.yaml:8: check.off: a check that is off leaves no room for other settings of it`},

		{"reload without command", served + "change: [{arm: a}]\n", `f.yaml:8: change[0].do: arm "a" has no reload command`},
		{"change of no arm", served + "change: [{arm: c}]\n", `f.yaml:8: change[0].arm: no arm is named "c": did you mean a?`},
		{"change after the block", served + "change: [{at: 500ms}]\n", `f.yaml:8: change[0].window: the window ends at 1.5s, after the block of 1s`},
		{"changes overlap", served + "change: [{window: 300ms}, {at: 200ms, window: 100ms}]\n", `f.yaml:8: change[1].at: expected the changes in their order, without overlap: the last window ends at 300ms, this change is at 200ms`},
		{"flags of a command", served + "change: [{do: flags, with: \"{}\"}]\n", `f.yaml:8: change[0].do: flags: nodes and flags are those of a built-in edge, all else is of a command or url`},
		{"run without command", served + "change: [{do: run}]\n", `f.yaml:8: change[0].with: run, node_down, node_up and flags need it, reload and kill have none`},
		{"hosts of no files", served + "change: [{arm: a, do: run, with: x, add_hosts: 1}]\n", `f.yaml:8: change[0]: hosts change with the files of a command, by reload or run`},
		{"hosts both ways", served + "change: [{add_hosts: 1, remove_hosts: 1}]\n", `f.yaml:8: change[0].remove_hosts: expected hosts to be added or removed, not both: make it two changes`},
		{"gate without change", twoArms + "gate: [{metric: errors.ratio, group: change=in, max: 1%}]\n", `f.yaml:6: gate.bounds[0].group: "change=in": the experiment has no change section`},
		{"https by wire", "name: x\nload: {engine: wire}\narms: [{name: a, url: \"https://h\"}]\n", `f.yaml:3: arms[0].url: the wire engine speaks cleartext HTTP/1.1: use engine vegeta for https`},
		{"url with a path", "name: x\narms: [{name: a, url: \"http://h/x\"}]\n", `f.yaml:2: arms[0].url: expected a URL such as http://127.0.0.1:8080, without path, got "http://h/x"`},
		{"insecure http", "name: x\narms: [{name: a, url: {at: \"http://h\", insecure: true}}]\n", `f.yaml:2: arms[0].url.insecure: only https has certificates`},
		{"change of a closed loop", served + "load: {arrivals: concurrency}\nchange: [{}]\n", `f.yaml:9: change: a block of a closed loop has no moments to change anything at`},
	} {
		t.Run(test.about, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(test.text))
			if lines := strings.Split(fmt.Sprint(err), "\n"); !slices.Contains(lines, test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestDefaultsOfForeignServers(t *testing.T) {
	e := parse(t, served+"change: [{window: 300ms}]\n")
	if e.Check.Sample != 10 || e.Targets.Expect != ExpectAny || len(e.Dataset.Sizes) != 0 {
		t.Errorf("check %+v, expect %s, dataset %+v", e.Check, e.Targets.Expect, e.Dataset)
	}
	if k := e.Change[0]; k.Arm != "b" || k.Do != DoReload {
		t.Errorf("change %+v", k)
	}
	sameBack(t, e)
	if edges := parse(t, twoArms); edges.Check.Sample != 0 || edges.Targets.Expect != ExpectBody {
		t.Errorf("built-in edges: %+v, %s", edges.Check, edges.Targets.Expect)
	}
	if off := parse(t, served+"check: {off: true}\n"); off.Check.Sample != 0 {
		t.Errorf("a check that is off asks for %d", off.Check.Sample)
	}
	short, err := parse(t, served+"blocks: {length: 5s}\nchange: [{at: 2s}]\n").Short()
	if err != nil || short.Change[0].At != Duration(200*time.Millisecond) || short.Change[0].Window != Duration(100*time.Millisecond) {
		t.Errorf("short: %+v, %v", short.Change, err)
	}
}

// Optional arms are left out where their tools are missing; what is needed and
// missing is named.
func TestTools(t *testing.T) {
	e, err := Builtin("hosts-all")
	if err != nil {
		t.Fatal(err)
	}
	some, missing, err := e.WithTools(func(tool string) bool { return tool == "caddy" })
	if err != nil || !slices.Equal(some.armNames(), []string{"caddy-matcher", "caddy-routes"}) || some.Blocks.Baseline != "caddy-matcher" {
		t.Errorf("with caddy alone: %v, %v", some.armNames(), err)
	}
	if len(missing) != len(e.Arms)-2 || !missing[0].Optional || missing[0].String() != "arm nginx-names needs nginx, which is not on this machine: install nginx-light" {
		t.Errorf("missing %v", missing)
	}
	if all, missing, err := e.WithTools(func(string) bool { return true }); err != nil || len(missing) != 0 || len(all.Arms) != len(e.Arms) {
		t.Errorf("with all: %v, %v", missing, err)
	}
	names, err := Builtin("nginx-hosts")
	if err != nil {
		t.Fatal(err)
	}
	if same, missing, err := names.WithTools(func(string) bool { return false }); err != nil || len(same.Arms) != 4 || len(missing) != 4 || missing[0].Optional {
		t.Errorf("without nginx: %v, %v", missing, err)
	}
}

func TestTwoServers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"old/n.conf": "listen {port}; # {{x}} {dir} {origin}", "new/n.conf": "listen 81;"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	two := TwoServers{Base: "serve -c old/n.conf", Candidate: "serve --config='" + dir + "/new/n.conf' old/n.conf.bak", Hosts: "hosts", Render: []string{"old/n.conf", "new/n.conf"}, Cwd: dir}
	e, err := two.Experiment()
	if err != nil {
		t.Fatal(err)
	}
	base, candidate := e.Arms[0].Command, e.Arms[1].Command
	if base.Run != "serve -c {dir}/1/n.conf" || !slices.Equal(base.Render, []string{filepath.Join(dir, "old/n.conf")}) || base.Files != nil {
		t.Errorf("base %+v", base)
	}
	if candidate.Run != "serve --config='{dir}/1/n.conf' old/n.conf.bak" || len(candidate.Render) != 1 || candidate.Cwd != dir {
		t.Errorf("candidate %+v", candidate)
	}
	if e.Targets.Hosts != filepath.Join(dir, "hosts") || len(e.Gate.Bounds) != 2 || e.Load.Rate != 500 {
		t.Errorf("experiment %+v", e)
	}
	sameBack(t, e)
	two.Render, two.Placeholder = two.Render[1:], "@@"
	if e, err = two.Experiment(); err != nil || e.Arms[1].Command.Placeholder != "@@" || e.Arms[0].Command.Placeholder != "" {
		t.Errorf("with a mark of its own {port} is the server's word: %v", err)
	}
	two.Placeholder = ""
	if _, err := two.Experiment(); err == nil || !strings.Contains(err.Error(), "old/n.conf holds {port}") || !strings.Contains(err.Error(), "--placeholder '@@'") {
		t.Errorf("error %v, want how to choose another mark", err)
	}
	two.Placeholder = "a@"
	if _, err := two.Experiment(); err == nil || !strings.HasPrefix(err.Error(), "--placeholder: expected at most 16 signs") {
		t.Errorf("error %v", err)
	}
	two.Render, two.Placeholder = []string{"none.conf"}, ""
	if _, err := two.Experiment(); err == nil || !strings.HasPrefix(err.Error(), "--render: stat ") {
		t.Errorf("error %v", err)
	}
}
