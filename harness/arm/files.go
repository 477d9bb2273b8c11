package arm

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/template"
)

// Content is what the templates of an arm's files may range over. Each method
// calls yield with one item after the other until yield is false, and holds
// no more than it needs for one.
type Content interface {
	Hosts(yield func(host string) bool) error
	Projects(yield func(project any) bool) error
	Deployments(yield func(deployment any) bool) error
}

// place is what templates and {words} may name. Its exported fields and
// methods are those of a template.
type place struct {
	Port      int
	AdminPort int
	Dir       string
	Origin    string
	CPUs      int
	Env       map[string]string

	hosts     []string // loopback addresses that Port is free on
	program   string   // {switchback}
	binary    string   // {build}
	pid       int      // {pid}: of the server, once it runs
	portNamed bool     // a copied file names the port

	content Content
	err     error // of a stream
}

// Hosts streams the hostnames.
func (p *place) Hosts() iter.Seq[string] {
	return func(yield func(string) bool) { p.stream(func() error { return p.content.Hosts(yield) }) }
}

// Projects streams the projects.
func (p *place) Projects() iter.Seq[any] {
	return func(yield func(any) bool) { p.stream(func() error { return p.content.Projects(yield) }) }
}

// Deployments streams the deployments.
func (p *place) Deployments() iter.Seq[any] {
	return func(yield func(any) bool) { p.stream(func() error { return p.content.Deployments(yield) }) }
}

// stream keeps the error of a stream: a template can't take it.
func (p *place) stream(run func() error) {
	if p.content == nil {
		p.err = fmt.Errorf("there are no hostnames here")
		return
	}
	if err := run(); err != nil && p.err == nil {
		p.err = err
	}
}

// words replaces the words in braces of a command or a variable.
func (p *place) words(text string) string {
	return strings.NewReplacer("{port}", strconv.Itoa(p.Port), "{admin_port}", strconv.Itoa(p.AdminPort), "{dir}", p.Dir,
		"{origin}", p.Origin, "{cpus}", strconv.Itoa(p.CPUs), "{pid}", strconv.Itoa(p.pid),
		"{build}", p.binary, "{switchback}", p.program).Replace(text)
}

// ParseFile reads the template of an arm's file. Beside the fields it has two
// functions: regex quotes a text for a regular expression, number reads a
// whole number, such as one of .Env.
func ParseFile(name, text string) (*template.Template, error) {
	functions := template.FuncMap{"regex": regexp.QuoteMeta, "number": strconv.Atoi}
	t, err := template.New(name).Option("missingkey=error").Funcs(functions).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("reading template: %w", err)
	}
	return t, nil
}

// render writes the files from their templates, each whole or not at all.
func (p *place) render(files map[string]string) error {
	for name, text := range files {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("files: %q is not below the arm's folder", name)
		}
		t, err := ParseFile(name, text)
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
		path := filepath.Join(p.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("files: %w", err)
		}
		if err := p.renderFile(t, path); err != nil {
			return fmt.Errorf("files: rendering %q: %w", name, err)
		}
	}
	return nil
}

// renderFile streams a file beside its place and moves it there, so that a
// server never reads a half of it.
func (p *place) renderFile(t *template.Template, path string) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if err := p.execute(t, f); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (p *place) execute(t *template.Template, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	p.err = nil
	if err := t.Execute(out, p); err != nil {
		return err
	}
	if p.err != nil {
		return p.err
	}
	return out.Flush()
}
