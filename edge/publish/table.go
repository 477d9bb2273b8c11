package publish

import (
	"switchback/datasets"
	"switchback/edge/kv"
	"switchback/edge/routing"
)

// tableWriter writes the legacy form: a table for each project, and the
// project's name for each custom domain.
type tableWriter struct {
	to      *kv.Loader
	project string // whose table is being built; "" for none
	table   []byte
}

func (w *tableWriter) write(p *datasets.Project, d *datasets.Deployment) error {
	if p.Name != w.project {
		if err := w.finish(); err != nil {
			return err
		}
		w.project = p.Name
		if err := w.writeDomains(p); err != nil {
			return err
		}
	}
	var err error
	w.table, err = routing.AppendRow(w.table, routing.Row{Expression: p.Pattern(d), Pipeline: pipelineOf(d)})
	return err
}

// writeDomains writes the project's name under its custom domains.
func (w *tableWriter) writeDomains(p *datasets.Project) error {
	for _, domain := range p.Domains {
		if err := w.to.Put(kv.Key{Prefix: kv.Domains, Name: domain}, []byte(p.Name)); err != nil {
			return err
		}
	}
	return nil
}

// finish writes the table of the last project.
func (w *tableWriter) finish() error {
	if w.project == "" {
		return nil
	}
	err := w.to.Put(kv.Key{Prefix: kv.Tables, Name: w.project}, routing.CloseTable(w.table))
	w.table = w.table[:0]
	return err
}
