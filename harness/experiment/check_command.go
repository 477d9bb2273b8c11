package experiment

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"switchback/harness/arm"
)

func (c *checker) command(path string, m *Command) {
	if strings.TrimSpace(m.Run) == "" {
		c.fail(path+".run", "a command is missing")
	}
	if ok := m.Ready == defaultReady || strings.HasPrefix(m.Ready, "/") || len(m.Ready) > len("output: ") && strings.HasPrefix(m.Ready, "output: "); !ok {
		c.fail(path+".ready", "expected tcp, an HTTP path such as /healthz, or output: TEXT, got %s", quote(m.Ready))
	}
	c.word(path+".stop", m.Stop, signals())
	within(c, path+".ready_within", m.ReadyWithin, Duration(time.Millisecond), Duration(10*time.Minute))
	within(c, path+".grace", m.Grace, Duration(time.Millisecond), Duration(10*time.Minute))
	for file, text := range m.Files {
		c.file(under(path+".files", file), file, text)
	}
	c.render(path, m)
	if m.Tool == "" && (m.Package != "" || m.Optional) {
		c.fail(path, "package and optional say what a missing tool means: name the tool")
	}
	if m.Build != nil {
		c.build(path+".build", m.Build)
	} else if strings.Contains(m.Run, "{build}") {
		c.fail(path+".run", "{build} stands for what build makes: say what that is")
	}
}

// build checks what becomes arguments of git and go.
func (c *checker) build(path string, b *Build) {
	if strings.TrimSpace(b.Ref) == "" {
		c.fail(path+".ref", "a commit is missing: expected a branch, tag or hash")
	}
	if strings.HasPrefix(b.Go, "-") || !filepath.IsLocal(b.Go) {
		c.fail(path+".go", "expected a package of the repository, such as ./cmd/server, got %s", quote(b.Go))
	}
}

// maxRender bounds how many files an arm is rendered from.
const maxRender = 100

// render checks what is copied for an arm. The files are read when it runs.
func (c *checker) render(path string, m *Command) {
	if len(m.Render) > maxRender {
		c.fail(path+".render", "expected at most %d files, got %d", maxRender, len(m.Render))
	}
	for _, file := range m.Render {
		if base := filepath.Base(file); file == "" || base == "." || base == ".." || base == "/" {
			c.fail(path+".render", "expected the path of a file, got %s", quote(file))
		}
	}
	if err := CheckPlaceholder(m.Placeholder); err != nil {
		c.fail(path+".placeholder", "%v", err)
	}
	if m.Placeholder != "" && len(m.Render) == 0 {
		c.fail(path+".placeholder", "it is about the files of render, and there are none")
	}
}

// CheckPlaceholder refuses a mark that could be a part of a word; "" is braces.
func CheckPlaceholder(mark string) error {
	const most = 16
	if len(mark) > most || strings.ContainsFunc(mark, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
	}) {
		return fmt.Errorf("expected at most %d signs, such as @@ for @@port@@, got %s", most, quote(mark))
	}
	return nil
}

// file checks the name of an arm's file and its template.
func (c *checker) file(path, name, text string) {
	if !filepath.IsLocal(name) || name == "." {
		c.fail(path, "expected a name inside the arm's folder, got %s", quote(name))
		return
	}
	if _, err := arm.ParseFile(name, text); err != nil {
		c.fail(path, "%v", err)
	}
}

func (c *checker) url(path string, m *URL) {
	_, tls, err := arm.ParseURL(m.At)
	if err != nil {
		c.fail(path, "%v", err)
		return
	}
	if tls && c.e.Load.Engine == wire {
		c.fail(path, "the wire engine speaks cleartext HTTP/1.1: use engine vegeta for https")
	}
	if !tls && m.Insecure {
		c.fail(path+".insecure", "only https has certificates")
	}
	given := 0
	for _, is := range []bool{m.PID != 0, m.PIDFile != "", m.Cgroup != ""} {
		if is {
			given++
		}
	}
	if given > 1 {
		c.fail(path, "expected one of pid, pidfile and cgroup, got %d", given)
	}
	within(c, path+".pid", m.PID, 0, 1<<22)
}
