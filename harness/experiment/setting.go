package experiment

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// fixed are the parts of an experiment that are the same in all of its cells.
func fixed() []string { return []string{"name", "about", "sweep", "short", "arms", "blocks.baseline"} }

// apply decodes a value into the setting that key names; line is where the
// sweep says so.
func (d *decoder) apply(e *Experiment, key string, value Setting, line int) {
	if slices.Contains(fixed(), key) || strings.HasPrefix(key, "arms.") && strings.HasSuffix(key, ".name") {
		d.fail(line, "%s is the same in all cells of a sweep", key)
		return
	}
	node, fault := parseYAML(d.file, []byte(value))
	if fault != nil {
		d.fail(line, "%s: %s", key, fault.Msg)
		return
	}
	places, err := locate(place{value: reflect.ValueOf(e).Elem()}, strings.Split(key, "."))
	if err != nil {
		d.fail(line, "setting %s: %v", quote(key), err)
		return
	}
	for _, p := range places {
		d.replace(p, node, line)
	}
}

// replace decodes a node into a place in the stead of what is there.
func (d *decoder) replace(p place, node ast.Node, line int) {
	maps.DeleteFunc(d.lines, func(path string, _ int) bool { return p.holds(path) })
	p.value.SetZero()
	before := len(d.faults)
	d.value(p.path, node, p.value)
	for _, f := range d.faults[before:] {
		f.Line = line // of the sweep, not of the value's text
	}
	for path := range d.lines {
		if p.holds(path) {
			d.lines[path] = line
		}
	}
	d.lines[p.path] = line
	if p.store != nil {
		p.store()
	}
}

// place is a value inside an experiment.
type place struct {
	path  string
	value reflect.Value
	store func() // writes the value back, where it is an entry of a map
}

// holds tells whether a path is that of the place or of a value in it.
func (p place) holds(path string) bool {
	rest, ok := strings.CutPrefix(path, p.path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// locate follows the words of a key from a value: keys of sections and maps,
// names of arms, * for all arms that have the section.
func locate(from place, words []string) ([]place, error) {
	if len(words) == 0 {
		return []place{from}, nil
	}
	v := from.value
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, fmt.Errorf("%s is not set", from.path)
		}
		v = v.Elem()
	}
	switch arms, isArms := v.Interface().([]Arm); {
	case isArms:
		return locateArms(from.path, arms, words)
	case v.Kind() == reflect.Map && len(words) == 1:
		return []place{mapEntry(under(from.path, words[0]), v, words[0])}, nil
	case v.Kind() == reflect.Struct:
		known := fields(v.Type())
		i := slices.IndexFunc(known, func(f field) bool { return f.key == words[0] })
		if i < 0 {
			return nil, fmt.Errorf("unknown key %s in %s: %s", quote(words[0]), at(from.path), suggest(words[0], keys(known)))
		}
		return locate(place{path: under(from.path, words[0]), value: v.FieldByIndex(known[i].index)}, words[1:])
	}
	return nil, fmt.Errorf("%s has no keys", from.path)
}

func mapEntry(path string, m reflect.Value, key string) place {
	item := reflect.New(m.Type().Elem()).Elem()
	return place{path, item, func() {
		if m.IsNil() {
			m.Set(reflect.MakeMap(m.Type()))
		}
		m.SetMapIndex(reflect.ValueOf(key), item)
	}}
}

// locateArms follows a key into the arm of that name, or into all that have
// the section.
func locateArms(path string, arms []Arm, words []string) ([]place, error) {
	var all []place
	var names []string
	for i := range arms {
		names = append(names, arms[i].Name)
		if words[0] != "*" && words[0] != arms[i].Name {
			continue
		}
		found, err := locate(place{path: indexed(path, i), value: reflect.ValueOf(&arms[i]).Elem()}, words[1:])
		if err != nil && words[0] != "*" {
			return nil, err
		}
		all = append(all, found...)
	}
	if all == nil {
		return nil, fmt.Errorf("no arm has it: expected * or %s, and a section of the arm", either(names))
	}
	return all, nil
}
