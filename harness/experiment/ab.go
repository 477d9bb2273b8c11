package experiment

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"switchback/results/gate"
	"switchback/results/units"
)

// TwoServers is an experiment that compares two commands over a list of
// hostnames.
type TwoServers struct {
	Base, Candidate string   // commands
	Hosts           string   // file of hostnames
	Render          []string // files in which {port}, {dir} and {origin} are replaced; the commands get the copies
	Cwd             string   // folder in which the commands run
	Rate            Rate     // default 500/s
}

// defaultABRate is that of two servers; each is asked at it in turn.
const defaultABRate = Rate(500)

// maxRendered bounds a file that is rendered.
const maxRendered = 512 << 10

// Experiment returns the experiment, whose text and files are its own: it can
// be saved and run again elsewhere.
func (t TwoServers) Experiment() (*Experiment, error) {
	or(&t.Rate, defaultABRate)
	files := map[string]string{}
	for i, path := range t.Render {
		text, err := t.template(path)
		if err != nil {
			return nil, err
		}
		files[copyName(i, path)] = text
		if !t.word(path).MatchString(t.Base) && !t.word(path).MatchString(t.Candidate) {
			return nil, fmt.Errorf("--render %s: neither command names this file, so that none would read its copy", path)
		}
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	margin, floor := units.Amount{Value: 0.05, Text: "5%"}, units.Amount{Value: 50e-6, Text: "50us"}
	e := &Experiment{Name: "ab", About: "two servers over a list of hostnames", Path: "ab",
		Targets: Targets{Hosts: absolute(t.Cwd, t.Hosts)},
		Load:    LoadSettings{Engine: wire, Rate: t.Rate, Connections: defaultConnections, Timeout: defaultTimeout},
		Arms:    []Arm{t.arm("base", t.Base, files), t.arm("candidate", t.Candidate, files)},
		Blocks:  Blocks{Pairs: defaultPairs, Length: defaultLength, Guard: defaultGuard, LaunchEvery: 1},
		Gate: GateRules{Bounds: []gate.Bound{{Metric: "ttfb.p50", MaxRegression: &margin, Floor: &floor},
			{Metric: "ttfb.p90", MaxRegression: &margin, Floor: &floor}}},
		Check: Check{Sample: 100},
	}
	var w writer
	w.section("", reflect.ValueOf(e).Elem())
	return Parse("ab", w.Bytes())
}

// check finds what can't be meant, in the words of the command line.
func (t TwoServers) check() error {
	if !(t.Rate > 0 && t.Rate <= maxRate) {
		return fmt.Errorf("--rate: expected a number of requests per second above 0, got %v", float64(t.Rate))
	}
	for _, c := range []struct{ flag, command string }{{"--base", t.Base}, {"--candidate", t.Candidate}} {
		if strings.TrimSpace(c.command) == "" {
			return fmt.Errorf("%s: expected a command, got none", c.flag)
		}
		for _, word := range strings.Fields(c.command) {
			if path := strings.Trim(word, `'"`); t.holdsPort(path) && !t.rendered(path) {
				return fmt.Errorf("%s: %s holds {port}, which is replaced in the files that --render names: add --render %s", c.flag, path, path)
			}
		}
	}
	return nil
}

// holdsPort tells whether a word of a command is a file with {port} in it.
func (t TwoServers) holdsPort(path string) bool {
	info, err := os.Stat(absolute(t.Cwd, path))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRendered {
		return false
	}
	text, err := os.ReadFile(absolute(t.Cwd, path))
	return err == nil && strings.Contains(string(text), "{port}")
}

func (t TwoServers) rendered(path string) bool {
	for _, r := range t.Render {
		if absolute(t.Cwd, r) == absolute(t.Cwd, path) {
			return true
		}
	}
	return false
}

// word matches a file where a command names it.
func (t TwoServers) word(path string) *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s'"=:,])(?:` + regexp.QuoteMeta(path) + `|` + regexp.QuoteMeta(absolute(t.Cwd, path)) + `)($|[\s'",;])`)
}

// arm is a command that reads the rendered copies in place of the files.
func (t TwoServers) arm(name, command string, files map[string]string) Arm {
	c := &Command{Run: command, Cwd: t.Cwd, ReadyWithin: Duration(time.Minute), Grace: defaultGrace, Files: map[string]string{}}
	for i, path := range t.Render {
		copied := copyName(i, path)
		if word := t.word(path); word.MatchString(c.Run) {
			c.Run = word.ReplaceAllString(c.Run, "${1}{dir}/"+copied+"${2}")
			c.Files[copied] = files[copied]
		}
	}
	return Arm{Name: name, Command: c}
}

// template returns a file as a template that says the same, with its words in
// braces as fields.
func (t TwoServers) template(path string) (string, error) {
	f, err := os.Open(absolute(t.Cwd, path))
	if err != nil {
		return "", fmt.Errorf("--render: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRendered+1))
	if err != nil {
		return "", fmt.Errorf("--render: %w", err)
	}
	if len(text) > maxRendered {
		return "", fmt.Errorf("--render %s: the file is larger than %s", path, Bytes(maxRendered))
	}
	plain := strings.ReplaceAll(string(text), "{{", `{{"{{"}}`)
	return strings.NewReplacer("{port}", "{{.Port}}", "{admin_port}", "{{.AdminPort}}", "{dir}", "{{.Dir}}", "{origin}", "{{.Origin}}").Replace(plain), nil
}

// copyName is the name of the i-th rendered copy in the arm's folder.
func copyName(i int, path string) string { return strconv.Itoa(i+1) + "-" + filepath.Base(path) }

func absolute(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}
