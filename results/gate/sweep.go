package gate

import (
	"errors"
	"fmt"

	"switchback/results/record"
)

// Cell is one cell of a sweep and what it is judged by.
type Cell struct {
	Name  string
	At    []Coordinate // one of each axis
	Rules Rules
}

// Sweep summarises a run of many cells: each cell by itself, with its metrics of
// all requests in the group sweep=NAME, those of a group in sweep=NAME,GROUP,
// and the exponents with which costs grow along the axes. The run is as bad as its worst cell.
// Errors are those of Summarise.
func Sweep(run Run, cells []Cell) (record.Summary, error) {
	var all record.Summary
	var compared error
	for i, c := range cells {
		s, err := Summarise(run.Cell(c.Name), c.Rules)
		if err != nil && !errors.Is(err, ErrNothingCompared) {
			return record.Summary{}, fmt.Errorf("cell %s: %w", c.Name, err)
		}
		compared = errors.Join(compared, err)
		if i == 0 {
			all = s
			all.Metrics, all.Gates, all.Events, all.Deaths = nil, []record.Gate{}, nil, nil
			all.Pairs, all.Launches, all.Requests, all.Errors = 0, 0, 0, 0
			all.Validity = record.Validity{OK: true, Notes: []string{}}
		}
		add(&all, s, c.Name)
	}
	all.Growth = growth(run.Blocks, cells, all.Confidence)
	return all, compared
}

// Cell returns the part of the run that one cell measured. Pooled statistics
// are of all cells together and left out.
func (r Run) Cell(name string) Run {
	part := Run{Manifest: r.Manifest, Tail: r.Tail}
	for _, b := range r.Blocks {
		if b.Cell == name {
			part.Blocks = append(part.Blocks, b)
		}
	}
	return part
}

// add takes a cell's summary into that of the run.
func add(all *record.Summary, s record.Summary, cell string) {
	all.Pairs += s.Pairs
	all.Launches += s.Launches
	all.Requests += s.Requests
	all.Errors += s.Errors
	for _, m := range s.Metrics {
		m.Group = sweepGroup(cell, m.Group)
		all.Metrics = append(all.Metrics, m)
	}
	for _, g := range s.Gates {
		g.Group = sweepGroup(cell, g.Group)
		all.Gates = append(all.Gates, g)
	}
	for _, note := range s.Validity.Notes {
		all.Validity.Notes = append(all.Validity.Notes, cell+": "+note)
	}
	for _, event := range s.Events {
		all.Events = append(all.Events, cell+": "+event)
	}
	all.Deaths = append(all.Deaths, s.Deaths...)
	all.Validity.OK = all.Validity.OK && s.Validity.OK
	all.Verdict = worseVerdict(all.Verdict, s.Verdict)
}

// worseVerdict returns the verdict that counts for both.
func worseVerdict(a, b string) string {
	for _, v := range []string{record.Invalid, record.Regression, record.Inconclusive, record.Pass} {
		if a == v || b == v {
			return v
		}
	}
	return record.None
}

// sweepGroup names a cell's group in the run.
func sweepGroup(cell, group string) string {
	if group == "" {
		return "sweep=" + cell
	}
	return "sweep=" + cell + "," + group
}
