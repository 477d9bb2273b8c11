package experiment

import (
	"bytes"
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// writer writes sections as YAML blocks, keys in the order they are declared.
// Text that YAML might read as something else is quoted.
type writer struct{ bytes.Buffer }

// section writes the keys of a struct, those of zero value left out where
// the default is the zero value.
func (w *writer) section(indent string, v reflect.Value) {
	for _, f := range fields(v.Type()) {
		value := v.FieldByIndex(f.index)
		if value.IsZero() && f.optional || value.Kind() == reflect.Struct && isSection(value) && blank(value) {
			continue
		}
		w.key(indent, f.key, value)
	}
}

// blank tells whether a section has nothing to write.
func blank(v reflect.Value) bool {
	var w writer
	w.section("", v)
	return w.Len() == 0
}

// isSection tells sections from scalars that are structs.
func isSection(v reflect.Value) bool {
	_, isText := v.Interface().(encoding.TextMarshaler)
	return !isText
}

func (w *writer) key(indent, key string, v reflect.Value) {
	fmt.Fprintf(w, "%s%s:", indent, plainOr(key))
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.Struct && isSection(v):
		if blank(v) {
			w.WriteString(" {}\n")
			return
		}
		w.WriteByte('\n')
		w.section(indent+"  ", v)
	case v.Kind() == reflect.Map:
		w.table(indent, v)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		w.WriteByte('\n')
		for i := range v.Len() {
			w.item(indent+"  ", v.Index(i))
		}
	case v.Kind() == reflect.Slice:
		w.list(v)
	default:
		w.WriteString(" " + scalarText(v) + "\n")
	}
}

// item writes a section as one item of a list.
func (w *writer) item(indent string, v reflect.Value) {
	var inner writer
	inner.section(indent+"  ", v)
	w.WriteString(indent + "- " + strings.TrimPrefix(inner.String(), indent+"  "))
}

// table writes a map whose keys are the user's own, sorted.
func (w *writer) table(indent string, v reflect.Value) {
	entries := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		entries[key.String()] = v.MapIndex(key)
	}
	if len(entries) == 0 {
		w.WriteString(" {}\n")
		return
	}
	w.WriteByte('\n')
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		w.key(indent+"  ", key, entries[key])
	}
}

func (w *writer) list(v reflect.Value) {
	items := make([]string, v.Len())
	for i := range items {
		items[i] = scalarText(v.Index(i))
	}
	w.WriteString(" [" + strings.Join(items, ", ") + "]\n")
}

// scalarText returns a scalar as YAML.
func scalarText(v reflect.Value) string {
	switch s := v.Interface().(type) {
	case Setting:
		return string(s)
	case encoding.TextMarshaler:
		text, err := s.MarshalText()
		if err == nil && measure.Match(text) {
			return string(text)
		}
		return quoteYAML(string(text))
	}
	switch v.Kind() {
	case reflect.String:
		return plainOr(v.String())
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	}
	return fmt.Sprint(v.Interface())
}

var (
	// measure is a number with its unit, or two of them: 1m30s.
	measure = regexp.MustCompile(`^-?([0-9.]+[a-zA-Z%/µ]*)+$`)
	// plain is text that needs no quotes if it is no word of YAML's own.
	plain = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9._/+-]*( [a-zA-Z0-9._/+-]+)*$`)
	// reserved are the words of YAML 1.1 and 1.2 that are no text.
	reserved = regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n)$`)
)

// plainOr returns text as it is or in quotes.
func plainOr(text string) string {
	if plain.MatchString(text) && !reserved.MatchString(text) {
		return text
	}
	return quoteYAML(text)
}
