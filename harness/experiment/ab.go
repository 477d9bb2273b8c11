package experiment

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"switchback/harness/arm"
	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/results/units"
)

// TwoServers is an experiment that compares two commands over a list of
// hostnames.
type TwoServers struct {
	Base, Candidate string   // commands
	Hosts           string   // file of hostnames
	Render          []string // files in which {port}, {dir} and {origin} are replaced; the commands get the copies
	Placeholder     string   // around these words in place of braces; see arm.Placeholder
	Cwd             string   // folder in which the commands run
	Rate            Rate     // default 500/s
}

// defaultABRate is that of two servers; each is asked at it in turn.
const defaultABRate = Rate(500)

// Experiment returns the experiment. It names the files by their paths, so it
// can be saved and run again where they are.
func (t TwoServers) Experiment() (*Experiment, error) {
	or(&t.Rate, defaultABRate)
	if err := CheckPlaceholder(t.Placeholder); err != nil {
		return nil, fmt.Errorf("--placeholder: %w", err)
	}
	for _, path := range t.Render {
		if _, err := arm.ReadCopied(absolute(t.Cwd, path)); err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
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
		Arms:    []Arm{t.arm("base", t.Base), t.arm("candidate", t.Candidate)},
		Blocks:  Blocks{Pairs: defaultPairs, Length: defaultLength, Guard: defaultGuard, LaunchEvery: 1},
		Gate: GateRules{Bounds: []gate.Bound{{Metric: metric.TTFB + metric.P50, MaxRegression: &margin, Floor: &floor},
			{Metric: metric.TTFB + metric.P90, MaxRegression: &margin, Floor: &floor}}},
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
				port := arm.Placeholder(t.Placeholder, "port")
				return fmt.Errorf("%s: %s holds %s, which is replaced in the files that --render names: add --render %s; or, where %s is a word of the server's own, choose another mark, as --placeholder '@@' does for @@port@@", c.flag, path, port, path, port)
			}
		}
	}
	return nil
}

// holdsPort tells whether a word of a command is a file that names the port.
func (t TwoServers) holdsPort(path string) bool {
	text, err := arm.ReadCopied(absolute(t.Cwd, path))
	return err == nil && strings.Contains(text, arm.Placeholder(t.Placeholder, "port"))
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
func (t TwoServers) arm(name, command string) Arm {
	c := &Command{Run: command, Cwd: t.Cwd, ReadyWithin: Duration(time.Minute), Grace: defaultGrace}
	for _, path := range t.Render {
		if word := t.word(path); word.MatchString(c.Run) {
			copied := arm.CopyName(len(c.Render), path)
			c.Run = word.ReplaceAllString(c.Run, "${1}{dir}/"+strings.ReplaceAll(copied, "$", "$$")+"${2}")
			c.Render, c.Placeholder = append(c.Render, absolute(t.Cwd, path)), t.Placeholder
		}
	}
	return Arm{Name: name, Command: c}
}

// InFlags turns the fault of a key in an experiment that the command line made
// into one of the flag that it came from.
func InFlags(err error) error {
	var fault *Error
	if !errors.As(err, &fault) {
		return err
	}
	key, said, _ := strings.Cut(fault.Msg, ": ")
	for of, flag := range map[string]string{"arms[0].": "--base", "arms[1].": "--candidate", "targets.hosts": "--hosts", "load.rate": "--rate", "blocks.pairs": "--pairs"} {
		if strings.HasPrefix(key, of) {
			return fmt.Errorf("%s: %s", flag, said)
		}
	}
	return err
}

func absolute(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}
