package experiment

import (
	"maps"
	"reflect"
)

// clone returns a copy that shares nothing that can be changed.
func (e *Experiment) clone() *Experiment {
	c := *e
	v := reflect.ValueOf(&c).Elem()
	for _, f := range fields(v.Type()) {
		field := v.FieldByIndex(f.index)
		field.Set(deepCopy(field))
	}
	c.lines = maps.Clone(e.lines)
	return &c
}

// deepCopy copies a value of the types that an experiment is made of.
func deepCopy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(deepCopy(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(deepCopy(v.Field(i)))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(deepCopy(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
			for _, key := range v.MapKeys() {
				out.SetMapIndex(key, deepCopy(v.MapIndex(key)))
			}
		}
	}
	return out
}
