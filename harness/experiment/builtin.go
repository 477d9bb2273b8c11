package experiment

import (
	"embed"
	"path"
	"strings"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// Builtin returns the built-in experiment of that name. The *Error for an
// unknown name tells the nearest one.
func Builtin(name string) (*Experiment, error) {
	source, err := BuiltinSource(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, source)
}

// BuiltinSource returns the file of the built-in experiment of that name, with
// its comments; it fails as Builtin does.
func BuiltinSource(name string) ([]byte, error) {
	source, err := builtin.ReadFile(path.Join("builtin", name+".yaml"))
	if err != nil {
		return nil, &Error{File: name, Msg: "no built-in experiment has this name: " + suggest(name, BuiltinNames())}
	}
	return source, nil
}

// Builtins returns the built-in experiments by name.
func Builtins() ([]*Experiment, error) {
	var all []*Experiment
	for _, name := range BuiltinNames() {
		e, err := Builtin(name)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// BuiltinNames returns the names of the built-in experiments in the order of
// the alphabet.
func BuiltinNames() []string {
	files, err := builtin.ReadDir("builtin")
	if err != nil {
		return nil
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".yaml")
	}
	return names
}
