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
	source, err := builtin.ReadFile(path.Join("builtin", name+".yaml"))
	if err != nil {
		return nil, &Error{File: name, Msg: "no built-in experiment has this name: " + suggest(name, builtinNames())}
	}
	return Parse(name, source)
}

// Builtins returns the built-in experiments by name.
func Builtins() ([]*Experiment, error) {
	var all []*Experiment
	for _, name := range builtinNames() {
		e, err := Builtin(name)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func builtinNames() []string {
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
