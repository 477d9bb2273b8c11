package publish

import (
	"regexp"
	"strings"

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
	hosts, err := hostnames(p, d)
	if err != nil {
		return err
	}
	row := routing.Row{Expression: expression(p.Name, hosts), Pipeline: pipelineOf(d)}
	w.table, err = routing.AppendRow(w.table, row)
	return err
}

// writeDomains writes the project's name under its custom domains.
func (w *tableWriter) writeDomains(p *datasets.Project) error {
	domains, err := canonical(p.Domains)
	if err != nil {
		return err
	}
	for _, domain := range domains {
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

// expression returns the expression that matches exactly the hosts, which are
// canonical: ^(?:2b469e16|main)\.example\.pages\.dev$ where all are aliases of
// the project.
func expression(project string, hosts []string) string {
	under := "." + project + routing.Suffix
	var aliases, others []string
	for _, host := range hosts {
		if alias, ok := strings.CutSuffix(host, under); ok {
			aliases = append(aliases, regexp.QuoteMeta(alias))
		} else {
			others = append(others, regexp.QuoteMeta(host))
		}
	}
	whole := "(?:" + strings.Join(aliases, "|") + ")" + regexp.QuoteMeta(under)
	if len(others) > 0 {
		whole = "(?:" + strings.Join(append([]string{whole}, others...), "|") + ")"
	}
	return "^" + whole + "$"
}
