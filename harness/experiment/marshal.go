package experiment

import (
	"fmt"

	"github.com/goccy/go-yaml"

	"switchback/results/gate"
)

// Marshal returns the experiment as a file with every default written out,
// which loads back to the same value.
func (e *Experiment) Marshal() ([]byte, error) {
	out, err := yaml.MarshalWithOptions(e,
		yaml.CustomMarshaler(func(a gate.Amount) ([]byte, error) { return []byte(a.Text), nil }),
		yaml.IndentSequence(true))
	if err != nil {
		return nil, fmt.Errorf("writing experiment %s: %w", e.Name, err)
	}
	return out, nil
}
