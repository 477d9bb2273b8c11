package targets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// requestLine matches how a target of vegeta's HTTP format begins. No field of a
// header does: its name has no blank.
var requestLine = regexp.MustCompile(`^[A-Z-]+\s`)

// httpFormat reads vegeta's HTTP format: METHOD URL, then fields, then perhaps
// @ and the path of a file with the body. An empty line, a body and the next
// METHOD URL end a target; lines that begin with # are comments.
type httpFormat struct {
	*fileBuilder
	lines   *textLines
	current *written // nil: none has begun
	bodies  map[string][]byte
}

func (b *fileBuilder) readHTTP(line string, lines *textLines) error {
	f := &httpFormat{fileBuilder: b, lines: lines, bodies: map[string][]byte{}}
	var err error
	for ; err == nil; line, err = lines.next() {
		if err := f.take(line); err != nil {
			return err
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return f.end()
}

// take reads a line.
func (f *httpFormat) take(line string) error {
	switch {
	case line == "":
		return f.end()
	case line[0] == '#':
		return nil
	case requestLine.MatchString(line):
		if err := f.end(); err != nil {
			return err
		}
		return f.begin(line)
	case f.current == nil:
		return fmt.Errorf("expected METHOD URL, such as GET http://www.example.test/, got %.80q", line)
	case line[0] == '@':
		return f.body(line[1:])
	}
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		return fmt.Errorf("expected a header field, such as Accept: text/html, or METHOD URL, got %.80q", line)
	}
	f.current.header = append(f.current.header, Field{Name: name, Value: strings.TrimSpace(value)})
	return nil
}

func (f *httpFormat) begin(line string) error {
	words := strings.Fields(line)
	if len(words) == 3 && strings.HasPrefix(words[2], "HTTP/") {
		return fmt.Errorf("expected METHOD URL alone, got %.80q: the engine says the version of HTTP", line)
	}
	if len(words) != 2 {
		return fmt.Errorf("expected METHOD URL, got %d words in %.80q", len(words), line)
	}
	f.current = &written{line: f.lines.number, method: words[0], url: words[1]}
	return nil
}

// body reads the file of a body, which ends the target. Many targets may send
// the same one.
func (f *httpFormat) body(path string) error {
	body, ok := f.bodies[path]
	if !ok {
		var err error
		if body, err = ReadBody(path); err != nil {
			return err
		}
		f.bodies[path] = body
	}
	f.current.body = body
	return f.end()
}

// ReadBody reads a file that is the body of requests.
func ReadBody(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("reading a body: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxFileBody {
		return nil, fmt.Errorf("body %.80q: expected a file of at most %d bytes", path, maxFileBody)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading a body: %w", err)
	}
	return body, nil
}

// end takes the target that has begun, if one has.
func (f *httpFormat) end() error {
	if f.current == nil {
		return nil
	}
	w := *f.current
	f.current = nil
	return f.add(w)
}
