package targets

import (
	"fmt"
	"slices"
	"strings"
)

// Extra is what a command line asks of every request.
type Extra struct {
	Method string   // "": the target's own
	Header []string // NAME: VALUE; a field that the target has itself stays
	Body   []byte   // nil: the target's own
}

// Apply gives it to the targets. It notes the fields that it dropped.
func (e Extra) Apply(list []Target) (notes []string, err error) {
	if err := checkMethod(e.Method); err != nil {
		return nil, err
	}
	fields, err := e.fields()
	if err != nil {
		return nil, err
	}
	dropped := map[string]int{}
	fields = dropHopByHop(fields, dropped)
	for i := range list {
		if err := e.apply(&list[i], fields); err != nil {
			return nil, err
		}
	}
	if note := noteDropped(dropped); note != "" {
		notes = append(notes, note)
	}
	return notes, nil
}

func (e Extra) apply(t *Target, fields []Field) error {
	if e.Method != "" {
		t.Method = e.Method
	}
	if e.Body != nil {
		t.Body = e.Body
	}
	own := slices.Clip(t.Header)
	err := t.take(slices.DeleteFunc(slices.Clone(fields), func(f Field) bool {
		return slices.ContainsFunc(own, func(has Field) bool { return strings.EqualFold(has.Name, f.Name) })
	}))
	if err != nil {
		return err
	}
	return t.Check()
}

// Has reports whether the header has a field.
func (e Extra) Has(field string) bool {
	return slices.ContainsFunc(e.Header, func(line string) bool {
		name, _, _ := strings.Cut(line, ":")
		return strings.EqualFold(name, field)
	})
}

// fields reads the header. A value is never shown: it may be a secret.
func (e Extra) fields() (fields []Field, err error) {
	for i, line := range e.Header {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("header field %d: expected NAME: VALUE, such as Authorization: Bearer TOKEN", i+1)
		}
		fields = append(fields, Field{Name: name, Value: strings.TrimSpace(value)})
	}
	return fields, nil
}
