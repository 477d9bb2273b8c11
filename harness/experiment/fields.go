package experiment

import (
	"reflect"
	"strings"
)

// field is one key of a section.
type field struct {
	key   string
	index []int // for reflect.Value.FieldByIndex

	optional bool // not written when zero
}

// fields returns the keys of a section's type in the order they are declared,
// those of inlined sections among them.
func fields(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case options == "inline":
			for _, in := range fields(f.Type) {
				in.index = append([]int{i}, in.index...)
				all = append(all, in)
			}
		case f.IsExported() && key != "" && key != "-":
			all = append(all, field{key, []int{i}, options == "omitempty"})
		}
	}
	return all
}

// keys returns the names of the fields.
func keys(fields []field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.key
	}
	return names
}

// shorthander is a section that may be written without its map: the value is
// then that of one key.
type shorthander interface{ shorthand() string }

func (Nodes) shorthand() string     { return "count" }  // nodes: 8
func (Command) shorthand() string   { return "run" }    // command: nginx -g 'daemon off;'
func (URL) shorthand() string       { return "at" }     // url: http://127.0.0.1:8080
func (GateRules) shorthand() string { return "bounds" } // gate: [{metric: …}]
