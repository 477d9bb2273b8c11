package runner

import (
	"errors"
	"fmt"
	"io"

	"switchback/datasets"
)

// content is what the templates of arms range over: the hostnames of the
// dataset or of the list, in their order, and those that a change has added.
type content struct {
	dataset string   // file
	listed  []string // in place of a dataset
	added   []string
	removed int // at the end of all of them
}

// Site is a project as templates see it.
type Site struct {
	Name        string
	Domains     []string
	Deployments int
}

// Version is a deployment as templates see it.
type Version struct {
	ID, Alias, Project string
	Hosts              []string
}

// content returns that of the arms' templates.
func (c *cell) content() *content { return &content{dataset: c.dataset.file, listed: c.dataset.listed} }

// Hosts implements arm.Content: all but the last removed ones, which are held
// back as they pass.
func (c *content) Hosts(yield func(string) bool) error {
	if c.removed == 0 {
		return c.all(yield)
	}
	held, n := make([]string, c.removed), 0
	return c.all(func(host string) bool {
		place := n % c.removed
		passed := held[place]
		held[place] = host
		n++
		return n <= c.removed || yield(passed)
	})
}

// all yields every hostname, the added ones last.
func (c *content) all(yield func(string) bool) error {
	more := true
	for _, host := range c.listed {
		if more = more && yield(host); !more {
			return nil
		}
	}
	err := c.each(func(p *datasets.Project, d *datasets.Deployment) bool {
		for _, host := range p.Hostnames(d) {
			if more = more && yield(host); !more {
				return false
			}
		}
		return true
	})
	for _, host := range c.added {
		if more = more && err == nil && yield(host); !more {
			break
		}
	}
	return err
}

// Projects implements arm.Content.
func (c *content) Projects(yield func(any) bool) error {
	var last *datasets.Project
	return c.each(func(p *datasets.Project, _ *datasets.Deployment) bool {
		if p == last {
			return true
		}
		last = p
		return yield(Site{Name: p.Name, Domains: p.Domains, Deployments: p.Deployments})
	})
}

// Deployments implements arm.Content.
func (c *content) Deployments(yield func(any) bool) error {
	return c.each(func(p *datasets.Project, d *datasets.Deployment) bool {
		return yield(Version{ID: d.ID, Alias: d.Alias, Project: p.Name, Hosts: p.Hostnames(d)})
	})
}

// each reads the dataset, where there is one, as a stream.
func (c *content) each(use func(*datasets.Project, *datasets.Deployment) bool) error {
	if c.dataset == "" {
		return nil
	}
	reader, err := datasets.Open(c.dataset)
	if err != nil {
		return fmt.Errorf("reading the hostnames: %w", err)
	}
	defer reader.Close()
	for {
		p, d, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the hostnames: %w", err)
		}
		if !use(p, d) {
			return nil
		}
	}
}
