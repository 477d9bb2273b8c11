package page

import (
	"errors"
	"fmt"
	"time"

	"github.com/goccy/go-yaml"

	"switchback/results/record"
)

// maxPlanBytes bounds the experiment file that is read.
const maxPlanBytes = 1 << 20

// plan is what the page reads of the experiment file, in which every default is
// written out.
type plan struct {
	Blocks struct {
		Guard span `yaml:"guard"`
	} `yaml:"blocks"`
	Change []window `yaml:"change"`
}

// window is a change while an arm serves: when after the guard, for how long,
// and what is done.
type window struct {
	At     span   `yaml:"at"`
	Window span   `yaml:"window"`
	Arm    string `yaml:"arm"`
	Do     string `yaml:"do"`
	With   string `yaml:"with"`
}

// span is a duration in a file: 250ms.
type span time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err == nil && d < 0 {
		err = errors.New("below zero")
	}
	*s = span(d)
	return err
}

func (s span) seconds() float64 { return time.Duration(s).Seconds() }

// planOf reads the experiment file; a run without one has no plan. The decoder
// panics on some files that are none; that is an error of the file.
func planOf(file []byte) (p plan, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			p, err = plan{}, fmt.Errorf("reading %s: %v", record.ExperimentFile, cause)
		}
	}()
	if len(file) > maxPlanBytes {
		return plan{}, fmt.Errorf("reading %s: more than %d MiB", record.ExperimentFile, maxPlanBytes>>20)
	}
	if err := yaml.Unmarshal(file, &p); err != nil {
		return plan{}, fmt.Errorf("reading %s: %w", record.ExperimentFile, err)
	}
	return p, nil
}
