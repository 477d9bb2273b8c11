package experiment

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"switchback/results/units"

	"github.com/goccy/go-yaml/ast"
)

const (
	maxNodes  = 100_000 // values of a file after its aliases are written out
	maxFaults = 100     // after which decoding ends
)

// decoder fills Go values from YAML nodes. It goes on after a fault, so that
// a file's faults are reported together.
type decoder struct {
	file    string
	lines   map[string]int // path of a value (arms[1].edge.ring) → line
	anchors map[string]ast.Node
	open    map[string]bool // anchors being written out: an alias of itself is refused
	nodes   int
	faults  []*Error
}

func newDecoder(file string, lines map[string]int) *decoder {
	return &decoder{file: file, lines: lines, anchors: map[string]ast.Node{}, open: map[string]bool{}}
}

func (d *decoder) fail(line int, format string, args ...any) {
	d.faults = append(d.faults, &Error{File: d.file, Line: line, Msg: fmt.Sprintf(format, args...)})
}

// value decodes n into v; path is where v is in the experiment.
func (d *decoder) value(path string, n ast.Node, v reflect.Value) {
	d.resolve(n, func(n ast.Node) { d.plain(path, n, v) })
}

// plain decodes a node that is no alias.
func (d *decoder) plain(path string, n ast.Node, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	_, isText := v.Addr().Interface().(encoding.TextUnmarshaler)
	setting, isSetting := v.Addr().Interface().(*Setting)
	switch {
	case isSetting:
		*setting = Setting(d.flow(path, n))
	case isText:
		d.scalar(path, n, v)
	case v.Kind() == reflect.Struct:
		d.section(path, n, v)
	case v.Kind() == reflect.Slice:
		d.list(path, n, v)
	case v.Kind() == reflect.Map:
		d.table(path, n, v)
	default:
		d.scalar(path, n, v)
	}
}

// section decodes a map with known keys.
func (d *decoder) section(path string, n ast.Node, v reflect.Value) {
	known := fields(v.Type())
	short, ok := v.Interface().(shorthander)
	if ok && !isMap(n) {
		d.field(path, short.shorthand(), line(n), n, v, known)
		return
	}
	if !isMap(n) {
		d.fail(line(n), "%s: expected a map with keys such as %s, got %s", at(path), known[0].key, kind(n))
		return
	}
	for _, e := range d.entries(path, n) {
		if len(d.faults) >= maxFaults {
			return
		}
		d.field(path, e.key, e.line, e.value, v, known)
	}
}

// field decodes the value of one key of a section.
func (d *decoder) field(path, key string, line int, n ast.Node, v reflect.Value, known []field) {
	for _, f := range known {
		if f.key == key {
			inner := under(path, key)
			d.lines[inner] = line
			d.value(inner, n, v.FieldByIndex(f.index))
			return
		}
	}
	d.fail(line, "unknown key %s in %s: %s", quote(key), at(path), suggest(key, keys(known)))
}

// at names a path in messages.
func at(path string) string {
	if path == "" {
		return "the experiment"
	}
	return path
}

func under(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// list decodes a sequence.
func (d *decoder) list(path string, n ast.Node, v reflect.Value) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(line(n), "%s: expected a list, got %s", path, kind(n))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values)))
	for i, item := range s.Values {
		inner := fmt.Sprintf("%s[%d]", path, i)
		d.lines[inner] = line(item)
		d.value(inner, item, v.Index(i))
	}
}

// table decodes a map whose keys are the user's own.
func (d *decoder) table(path string, n ast.Node, v reflect.Value) {
	if !isMap(n) {
		d.fail(line(n), "%s: expected a map, got %s", path, kind(n))
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, e := range d.entries(path, n) {
		inner := under(path, e.key)
		d.lines[inner] = e.line
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(inner, e.value, item)
		v.SetMapIndex(reflect.ValueOf(e.key), item)
	}
}

// scalar decodes a number, text, truth value or scalar with a unit.
func (d *decoder) scalar(path string, n ast.Node, v reflect.Value) {
	s, ok := text(n)
	if !ok {
		d.fail(line(n), "%s: expected %s, got %s", path, wanted(v), kind(n))
		return
	}
	if i := strings.IndexFunc(s, forbidden); i >= 0 {
		d.fail(line(n), "%s: control characters are not allowed, got %s", path, quote(s))
		return
	}
	if err := set(v, n, s); err != nil {
		d.fail(line(n), "%s: %v", path, err)
	}
}

// forbidden tells control characters that no value may hold.
func forbidden(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// set parses s by the type of v.
func set(v reflect.Value, n ast.Node, s string) error {
	if into, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return into.UnmarshalText([]byte(s))
	}
	_, quoted := n.(*ast.StringNode)
	var err error
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
		return nil
	case reflect.Bool:
		if s != "true" && s != "false" {
			return fmt.Errorf("expected %s, got %s", wanted(v), kind(n))
		}
		v.SetBool(s == "true")
	case reflect.Int:
		var i int64
		i, err = strconv.ParseInt(s, 10, 64)
		v.SetInt(i)
	case reflect.Float64:
		var f float64
		f, err = units.ParseNumber(s)
		v.SetFloat(f)
	}
	if err != nil || quoted {
		return fmt.Errorf("expected %s, got %s", wanted(v), kind(n))
	}
	return nil
}

// wanted names what a scalar of v's type is, for messages.
func wanted(v reflect.Value) string {
	switch v.Addr().Interface().(type) {
	case *Duration:
		return "a duration such as 3.4s"
	case *Bytes:
		return "a size such as 64MiB"
	case *Rate:
		return "a rate such as 150/s"
	case *Percent:
		return "a share such as 0.1%"
	case *units.Amount:
		return "an amount such as 5%, 50us or 64MiB"
	}
	switch v.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	return "text"
}

// quote quotes hostile text for a message, cut to a readable length.
func quote(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return strconv.Quote(s)
}
