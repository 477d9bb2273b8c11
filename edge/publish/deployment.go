package publish

import (
	"fmt"

	"switchback/datasets"
	"switchback/edge/routing"
)

// checkHosts returns an error for a hostname that is not in its canonical
// form: no request could reach it.
func checkHosts(hosts []string) error {
	for _, host := range hosts {
		if form, ok := routing.Canonical(host); !ok || form != host {
			return fmt.Errorf("%q is not a hostname in its canonical form", host)
		}
	}
	return nil
}

// pipelineOf returns the pipeline that serves a deployment. A binding's kind is of
// no use when serving, and is left out.
func pipelineOf(d *datasets.Deployment) *routing.Pipeline {
	stages := make([]routing.Stage, len(d.Stages))
	for i, s := range d.Stages {
		stages[i] = routing.Stage{Name: s.Name, Paths: s.Paths}
		if len(s.Bindings) > 0 {
			stages[i].Bindings = make(map[string]string, len(s.Bindings))
		}
		for _, b := range s.Bindings {
			stages[i].Bindings[b.Name] = b.Value
		}
	}
	return &routing.Pipeline{Deployment: d.ID, Stages: stages}
}
