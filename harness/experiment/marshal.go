package experiment

import (
	"fmt"
	"reflect"
	"strings"
)

// Marshal returns the experiment as a file that loads back to the same value,
// with every default written out. With a sweep those that differ between
// cells are left open. The error is that of loading it, for experiments that
// were changed to what no file may hold.
func (e *Experiment) Marshal() ([]byte, error) {
	if len(e.Sweep) > 0 {
		e = e.common()
	}
	var w writer
	w.section("", reflect.ValueOf(e).Elem())
	if _, err := Parse(e.Path, w.Bytes()); err != nil {
		return nil, fmt.Errorf("writing experiment %s: %w", e.Name, err)
	}
	return w.Bytes(), nil
}

// common returns what the cells of a sweep have in common: what the file
// gives, and the defaults that no setting of the sweep can change.
func (e *Experiment) common() *Experiment {
	c := e.given.clone()
	c.ShortForm = false
	c.fill()
	c.ShortForm = e.ShortForm
	swept := e.swept()
	if swept["dataset"] {
		c.Dataset = e.given.Dataset
	}
	if swept["targets"] {
		c.Targets = e.given.Targets
	}
	if swept["targets"] || swept["blocks"] || swept["load"] {
		c.Load = e.given.Load // its rate follows from the others
	}
	for i := range c.Arms {
		if edge := c.Arms[i].Edge; edge != nil && swept["arms"] {
			edge.TableLife, edge.Nodes = e.given.Arms[i].Edge.TableLife, e.given.Arms[i].Edge.Nodes
		}
	}
	return c
}

// swept returns the sections that the sweep has settings of.
func (e *Experiment) swept() map[string]bool {
	sections := map[string]bool{}
	for i := range e.Sweep {
		for _, p := range e.Sweep[i].points() {
			for key := range p.Set {
				section, _, _ := strings.Cut(key, ".")
				sections[section] = true
			}
		}
	}
	return sections
}
