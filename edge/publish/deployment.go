package publish

import (
	"fmt"

	"switchback/datasets"
	"switchback/edge/routing"
)

// hostnames returns the canonical hostnames of a deployment.
func hostnames(p *datasets.Project, d *datasets.Deployment) ([]string, error) {
	return canonical(p.Hostnames(d))
}

// canonical returns the canonical forms of hosts. A host that has none is an
// error: no request could reach it.
func canonical(hosts []string) ([]string, error) {
	forms := make([]string, len(hosts))
	for i, host := range hosts {
		form, ok := routing.Canonical(host)
		if !ok {
			return nil, fmt.Errorf("%q is not a hostname", host)
		}
		forms[i] = form
	}
	return forms, nil
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
