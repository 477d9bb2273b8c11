// Command tally reads the output of `go test -json` on standard input, shows
// what failed and a line per package, and ends with the names of the tests that
// were skipped and with counts: `N passed, N failed, N skipped`. It exits 1 when
// something failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

// event is one line of `go test -json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
}

// counts collects what the events say.
type counts struct {
	passed, failed int
	skipped        map[string]string              // test → last words before the skip
	output         map[string]map[string][]string // package → test → its output
}

func main() {
	failed, err := tally(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// tally reads events and prints; it returns how many tests and packages failed.
func tally(r io.Reader, w io.Writer) (failed int, err error) {
	c := counts{skipped: map[string]string{}, output: map[string]map[string][]string{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(w, lines.Text()) // the build's own words
			continue
		}
		c.take(e, w)
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("reading the test events: %w", err)
	}
	c.summary(w)
	return c.failed, nil
}

// take notes one event.
func (c *counts) take(e event, w io.Writer) {
	tests := c.output[e.Package]
	if tests == nil {
		tests = map[string][]string{}
		c.output[e.Package] = tests
	}
	switch e.Action {
	case "output", "build-output":
		tests[e.Test] = append(tests[e.Test], e.Output)
		return
	case "fail":
		c.failed++
		fmt.Fprintf(w, "FAIL %s %s\n%s", e.Package, e.Test, strings.Join(tests[e.Test], ""))
	case "skip":
		if e.Test != "" {
			c.skipped[e.Package+"."+e.Test] = reason(tests[e.Test])
		}
	case "pass":
		if e.Test != "" {
			c.passed++
		} else {
			fmt.Fprintf(w, "ok   %-45s %6.1f s\n", e.Package, e.Elapsed)
		}
	}
	delete(tests, e.Test)
}

// reason returns what a test said when it skipped itself.
func reason(output []string) string {
	for _, line := range output {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "===") {
			return line
		}
	}
	return "no reason given"
}

// summary prints the skipped tests and the counts.
func (c *counts) summary(w io.Writer) {
	names := make([]string, 0, len(c.skipped))
	for name := range c.skipped {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(w, "skipped: %s: %s\n", name, c.skipped[name])
	}
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", c.passed, c.failed, len(c.skipped))
}
