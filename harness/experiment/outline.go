package experiment

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"switchback/harness/plan"
	"switchback/results/gate"
	"switchback/results/units"
)

// PrintOutline writes what a run of the experiment would do: the design, how
// long it takes, what each gate could see, and what is started. calibration is
// of this kind of machine, nil where there is none.
func (e *Experiment) PrintOutline(w io.Writer, calibration *gate.Calibration) error {
	cells, err := e.Cells()
	if err != nil {
		return err
	}
	o := &outline{w: w, e: e, first: cells[0].Experiment}
	o.line("%s: %s", e.Name, cmp.Or(e.About, "no description"))
	o.line("")
	o.design(cells)
	o.starts()
	o.gates(calibration)
	return o.err
}

// outline writes lines; after an error it writes nothing more.
type outline struct {
	w     io.Writer
	err   error
	e     *Experiment
	first *Experiment // of the first cell: what all cells have in common is said of it
}

func (o *outline) line(format string, args ...any) {
	if o.err == nil {
		_, o.err = fmt.Fprintf(o.w, format+"\n", args...)
	}
}

// fact writes a line of the design.
func (o *outline) fact(name, format string, args ...any) {
	o.line("%-10s %s", name, fmt.Sprintf(format, args...))
}

// design writes pairs, blocks, requests and time.
func (o *outline) design(cells []Cell) {
	e := o.first
	var others []string
	for _, name := range e.armNames() {
		if name != e.Blocks.Baseline {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		o.fact("compared", "%s against %s", strings.Join(others, ", "), e.Blocks.Baseline)
	}
	each := ""
	if len(o.e.Sweep) > 0 {
		o.fact("cells", "%d, one after the other: %s", len(cells), someCells(cells))
		each = " in each cell"
	}
	o.fact("pairs", "%d%s, %s", e.Blocks.Pairs, each, e.launchesInWords())
	o.fact("blocks", "one a pair and arm, of %v, after a guard of %v", e.Blocks.Length, e.Blocks.Guard)
	o.steps()
	seconds, requests := 0.0, 0.0
	for _, c := range cells {
		seconds, requests = seconds+c.Experiment.seconds(), requests+c.Experiment.due()*float64(c.Experiment.blocks())
	}
	switch due := e.due(); {
	case due > 0 && each != "":
		o.fact("requests", "about %s in all", units.Thousands(requests))
	case due > 0:
		o.fact("requests", "about %s a block, %s in all", units.Thousands(due), units.Thousands(requests))
	default:
		o.fact("requests", "as many as the arms answer, %d at once", e.Load.Concurrency)
	}
	o.fact("takes", "about %v, and the time to prepare, start and warm up the arms", time.Duration(seconds*float64(time.Second)).Round(time.Second))
}

// steps writes the steps of a rollout.
func (o *outline) steps() {
	if o.first.Rollout == nil {
		return
	}
	for _, a := range o.first.Arms {
		var steps []string
		for _, s := range o.first.Course(a).Steps {
			steps = append(steps, stepWords(s))
		}
		o.fact("rollout", "%s: %s", a.Name, strings.Join(steps, ", "))
	}
}

func stepWords(s plan.Step) string { return fmt.Sprintf("%s %v", s.Name, s.Hold) }

// cellsNamed bounds the cells that an outline names.
const cellsNamed = 6

func someCells(cells []Cell) string {
	var names []string
	for _, c := range cells[:min(len(cells), cellsNamed)] {
		names = append(names, c.Name)
	}
	text := strings.Join(names, "; ")
	if len(cells) > cellsNamed {
		text += "; …"
	}
	return text
}

// blocks is the number of blocks of a run without a sweep.
func (e *Experiment) blocks() int { return e.Blocks.Pairs * len(e.Arms) }

// seconds is how long the blocks take, without starting and warming the arms.
func (e *Experiment) seconds() float64 {
	block := time.Duration(e.Blocks.Guard + e.Blocks.Length).Seconds()
	return math.Ceil(float64(e.blocks()) * (block + gate.BlockOverhead))
}

func (e *Experiment) launchesInWords() string {
	switch {
	case e.attached():
		return "the arms are running servers"
	case e.Blocks.LaunchEvery == 0:
		return "each arm is started once"
	case e.Blocks.LaunchEvery == 1:
		return "each arm is started anew for every pair"
	}
	return fmt.Sprintf("each arm is started anew every %d pairs", e.Blocks.LaunchEvery)
}

// starts writes every process and command of the run.
func (o *outline) starts() {
	e := o.first
	o.line("")
	o.line("starts")
	if slices.ContainsFunc(e.Arms, func(a Arm) bool { return a.URL == nil }) {
		o.line("  origin on loopback, delay %s", cmp.Or(e.Origin.Delay, "none"))
	}
	for _, a := range e.Arms {
		o.line("  %s: %s", a.Name, e.startWords(a))
		for _, c := range []struct{ when, command string }{{"before each start", a.Setup}, {"after each stop", a.Teardown}, {"to ask its version", a.Version}, {"to reload it", a.Reload}} {
			if c.command != "" {
				o.line("    %s: %s", c.when, quote(c.command))
			}
		}
	}
	for _, c := range e.Change {
		o.line("  in each block of %s, after %v: %s", c.Arm, c.At, strings.TrimSpace(c.Do+" "+c.With))
	}
}

// startWords says what an arm is.
func (e *Experiment) startWords(a Arm) string {
	switch {
	case a.URL != nil:
		return "nothing; requests go to the running server at " + a.URL.At
	case a.Command != nil:
		return "command " + quote(a.Command.Run)
	}
	parts := []string{"built-in edge"}
	if n := len(e.Colos); n > 0 {
		parts[0] = units.Count(n, "built-in edge") + " (" + strings.Join(e.Colos, ", ") + ")"
	}
	parts = append(parts, "router "+a.Edge.Router, "ring "+a.Edge.Ring, units.Count(a.Edge.Nodes.Count, "cache node"))
	text := strings.Join(parts, ", ")
	if e.OneProcess() {
		text += "; one process for both arms"
	}
	return text
}

// gates writes what each gate could see, or why none is judged.
func (o *outline) gates(calibration *gate.Calibration) {
	rules := o.first.Rules()
	rules.Calibration = calibration
	o.line("")
	foreseen := rules.Foresee(time.Duration(o.first.Blocks.Length).Seconds())
	if len(foreseen) == 0 {
		o.line("no gates: nothing is judged")
		return
	}
	if note := o.first.GateNote(); note != "" {
		o.line("%s", note)
		return
	}
	o.line("gates")
	for _, f := range foreseen {
		o.line("  %s", f.Title())
		o.line("    %s", f.Effect)
	}
}
