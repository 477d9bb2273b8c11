package experiment

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"switchback/harness/plan"
	"switchback/results/units"
)

// Bounds of a sweep.
const (
	maxAxes  = 6
	maxCells = 1000
)

// shortPoints is how many points of an axis the short form keeps.
const shortPoints = 2

// Cell is one point of a sweep: a complete experiment with blocks of its own.
type Cell struct {
	Name       string       // deployments=10,lru=64MiB; empty without a sweep. Its results are in the group sweep=NAME
	At         []Coordinate // one of each axis
	Experiment *Experiment
}

// Coordinate is a cell's place on one axis.
type Coordinate struct {
	Axis, Label string
	X           float64 // the label's number, in base units; 0 when it has none
	HasX        bool    // costs may grow with X as a power; not with a load, on which they rise without bound near what an arm can bear
}

// Cells returns the cells of the experiment's sweep, the last axis fastest;
// without a sweep the one cell is the experiment itself. Each is checked: the
// error is nil for what Load, Short and WithPairs return.
func (e *Experiment) Cells() ([]Cell, error) {
	if len(e.Sweep) == 0 {
		return []Cell{{Experiment: e}}, join(e.check())
	}
	axes, faults := e.axes()
	if len(faults) > 0 {
		return nil, join(faults)
	}
	var counts []int
	for _, points := range axes {
		counts = append(counts, len(points))
	}
	var cells []Cell
	for _, index := range plan.Grid(counts...) {
		cell, wrong := e.cell(axes, index)
		cells, faults = append(cells, cell), append(faults, wrong...)
	}
	if len(faults) == 0 {
		faults = e.judgeTogether(cells)
	}
	if len(faults) > 0 {
		return nil, join(faults)
	}
	return cells, nil
}

// cell builds one cell: what the file gives, the settings of its points, the
// defaults that follow from both.
func (e *Experiment) cell(axes [][]Point, index []int) (Cell, []*Error) {
	c := e.given.clone()
	c.Sweep = nil
	d := newDecoder(e.Path, c.lines)
	cell := Cell{Experiment: c}
	var names []string
	for axis, i := range index {
		p := axes[axis][i]
		for _, key := range slices.Sorted(maps.Keys(p.Set)) {
			d.apply(c, key, p.Set[key], e.pointLine(axis, i))
		}
		names = append(names, e.Sweep[axis].Name+"="+p.Label)
		at := coordinate(e.Sweep[axis].Name, p.Label)
		at.HasX = at.HasX && !p.ofLoad()
		cell.At = append(cell.At, at)
	}
	cell.Name = strings.Join(names, ",")
	c.given = c.clone()
	c.fill()
	return cell, d.faults
}

// judgeTogether gives each cell the bounds that are about it and its even
// part of alpha, since one false alarm in any cell fails the run.
func (e *Experiment) judgeTogether(cells []Cell) []*Error {
	var judged []*GateRules
	for _, cell := range cells {
		if g := &cell.Experiment.Gate; g.keepAbout(cell.Name) {
			judged = append(judged, g)
		} else {
			delete(cell.Experiment.lines, "gate")
		}
	}
	for _, g := range judged {
		g.Alpha /= float64(len(judged))
		for i := range g.Bounds {
			g.Bounds[i].Alpha /= float64(len(judged))
		}
	}
	faults := e.unknownCells(cells)
	if len(faults) > 0 {
		return faults
	}
	for _, cell := range cells {
		faults = append(faults, cell.Experiment.check()...)
	}
	return faults
}

// keepAbout drops the bounds about other cells and tells whether any is left.
func (g *GateRules) keepAbout(cell string) bool {
	kept := g.Bounds[:0]
	for _, b := range g.Bounds {
		about, ok := strings.CutPrefix(b.Group, "sweep=")
		if ok && about != cell {
			continue
		}
		if ok {
			b.Group = ""
		}
		kept = append(kept, b)
	}
	if g.Bounds = kept; len(kept) == 0 {
		*g = GateRules{}
	}
	return len(kept) > 0
}

// unknownCells finds bounds about a cell that the sweep does not have.
func (e *Experiment) unknownCells(cells []Cell) []*Error {
	c := &checker{e: e}
	var names []string
	for _, cell := range cells {
		names = append(names, cell.Name)
	}
	for i, b := range e.Gate.Bounds {
		if about, ok := strings.CutPrefix(b.Group, "sweep="); ok && !slices.Contains(names, about) && !e.ShortForm {
			c.fail(indexed("gate.bounds", i)+".group", "the sweep has no cell %s: cells are named as %s", quote(about), names[0])
		}
	}
	return c.faults
}

func coordinate(axis, label string) Coordinate {
	a, err := units.ParseAmount(label)
	return Coordinate{Axis: axis, Label: label, X: a.Value, HasX: err == nil}
}

// label is the pattern of the labels of points.
var label = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._:+%/-]{0,47}$`)

// axes returns the points of each axis, and what is wrong with them.
func (e *Experiment) axes() ([][]Point, []*Error) {
	c := &checker{e: e}
	var all [][]Point
	cells := 1
	for i := range e.Sweep {
		c.axis(i)
		points := e.Sweep[i].points()
		if e.ShortForm {
			points = points[:min(len(points), shortPoints)]
		}
		all = append(all, points)
		cells = min(cells*max(1, len(points)), maxCells+1)
	}
	if len(e.Sweep) > maxAxes {
		c.fail("sweep", "expected at most %d axes, got %d", maxAxes, len(e.Sweep))
	} else if cells > maxCells {
		c.fail("sweep", "expected at most %d cells, got more", maxCells)
	}
	return all, c.faults
}

func (c *checker) axis(i int) {
	a, path := &c.e.Sweep[i], indexed("sweep", i)
	if (a.Key == "") == (len(a.Points) == 0) || (a.Key == "") != (len(a.Values) == 0) {
		c.fail(path, "expected key and values, or points")
		return
	}
	c.name(path+".name", a.Name)
	for _, before := range c.e.Sweep[:i] {
		if before.Name == a.Name {
			c.fail(path+".name", "an axis named %s stands above: give this one another name", quote(a.Name))
		}
	}
	seen := map[string]bool{}
	for j, p := range a.points() {
		if !label.MatchString(p.Label) {
			c.failAt(c.e.pointLine(i, j), path, "expected a short label of letters, digits and ._:+%%/-, got %s: use points, with a label for each", quote(p.Label))
		} else if seen[p.Label] {
			c.failAt(c.e.pointLine(i, j), path, "the point %s stands twice", quote(p.Label))
		}
		seen[p.Label] = true
		if len(p.Set) == 0 {
			c.failAt(c.e.pointLine(i, j), path, "the point %s sets nothing", quote(p.Label))
		}
	}
}

// pointLine is the line of a point of an axis.
func (e *Experiment) pointLine(axis, i int) int {
	path := indexed("sweep", axis)
	for _, list := range []string{".points[", ".values["} {
		if line := e.lines[path+list+strconv.Itoa(i)+"]"]; line > 0 {
			return line
		}
	}
	return e.lines[path]
}

// failAt is fail for a line that is known.
func (c *checker) failAt(line int, path, format string, args ...any) {
	c.faults = append(c.faults, &Error{File: c.e.Path, Line: line, Msg: path + ": " + fmt.Sprintf(format, args...)})
}
