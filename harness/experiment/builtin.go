package experiment

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// Builtin returns the built-in experiment of that name. The error for an
// unknown name tells the nearest.
func Builtin(name string) (*Experiment, error) {
	source, err := builtin.ReadFile(path.Join("builtin", name+".yaml"))
	if err != nil {
		return nil, fmt.Errorf("no built-in experiment is named %s: %s", quote(name), suggest(name, builtinNames()))
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
