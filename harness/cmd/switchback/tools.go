package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"switchback/harness/experiment"
)

// withTools leaves out the optional arms whose tools are missing, and says so.
// Without a tool that is needed, or without any arm, the error says what to
// install.
func withTools(w io.Writer, e *experiment.Experiment) (*experiment.Experiment, error) {
	there, missing, err := e.WithTools(func(tool string) bool {
		_, err := exec.LookPath(tool)
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	var needed []string
	for _, m := range missing {
		if !m.Optional || len(missing) == len(e.Arms) {
			needed = append(needed, m.String())
		} else {
			fmt.Fprintf(w, "left out: %s\n", m)
		}
	}
	if len(needed) > 0 {
		return nil, errors.New(strings.Join(needed, "\n"))
	}
	return there, nil
}
