package targets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Bounds of a file of targets that is held in memory.
const (
	maxFileTargets = 1_000_000
	maxFileLine    = 64 << 20 // of vegeta's JSON, whose lines hold bodies
	maxFileBody    = 64 << 20 // of one body file
)

// File holds the targets of a file of the user's own, to be asked in turn.
type File struct {
	Targets []Target
	Notes   []string // what was dropped
	// SecureLine is the line of the first https URL, whose request must not go in
	// clear text. 0: no URL is https, or the file says no scheme.
	SecureLine int
}

// ReadFile reads vegeta's HTTP or JSON format or a stored stream. It tells them
// apart by how they begin: zstd is a stream, an opening brace is JSON. Bodies
// that the HTTP format names by @ are looked up from the working folder, as
// vegeta does. Errors name the file and the line.
func ReadFile(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading targets: %w", err)
	}
	defer f.Close()
	file, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return file, nil
}

// IsDrawn tells whether a file is a stream that was drawn over a dataset. Any
// other file holds requests of the user's own.
func IsDrawn(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("reading targets: %w", err)
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if !isStream(in) {
		return false, nil
	}
	stream, err := NewReader(in)
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	defer stream.Close()
	return stream.Info().Source == "", nil
}

func isStream(in *bufio.Reader) bool {
	begin, _ := in.Peek(4)
	return bytes.Equal(begin, []byte{0x28, 0xb5, 0x2f, 0xfd}) // zstd's magic number
}

// Read is ReadFile of a stream; errors begin with the line.
func Read(r io.Reader) (*File, error) {
	in := bufio.NewReader(r)
	if isStream(in) {
		file, err := readWhole(in)
		if err != nil {
			return nil, fmt.Errorf(" %w", err)
		}
		return file, nil
	}
	lines := newTextLines(in, maxFileLine)
	b := &fileBuilder{file: &File{}, dropped: map[string]int{}}
	line, err := firstLine(lines)
	if err == nil && strings.HasPrefix(line, "{") {
		err = b.readJSON(line, lines)
	} else if err == nil {
		err = b.readHTTP(line, lines)
	}
	if at := (lineError{}); errors.As(err, &at) {
		return nil, err
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, lineError{lines.number, err}
	}
	if len(b.file.Targets) == 0 {
		return nil, lineError{max(1, lines.number-1), errNoTarget}
	}
	if note := noteDropped(b.dropped); note != "" {
		b.file.Notes = append(b.file.Notes, note)
	}
	return b.file, nil
}

// firstLine returns the first line that is neither empty nor a comment.
func firstLine(lines *textLines) (string, error) {
	for {
		if line, err := lines.next(); err != nil || line != "" && line[0] != '#' {
			return line, err
		}
	}
}

// readWhole reads the targets of all blocks of a stored stream.
func readWhole(r io.Reader) (*File, error) {
	stream, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	file := &File{}
	for {
		block, err := stream.Block(0)
		if errors.Is(err, io.EOF) && len(file.Targets) == 0 {
			return nil, errNoTarget
		}
		if errors.Is(err, io.EOF) {
			return file, nil
		}
		if err != nil {
			return nil, err
		}
		if file.Targets = append(file.Targets, block...); len(file.Targets) > maxFileTargets {
			return nil, tooMany()
		}
	}
}

// errNoTarget: a file asks for nothing.
var errNoTarget = errors.New("expected at least one target, got none")

// lineError is an error that knows its line.
type lineError struct {
	line int
	err  error
}

// Error implements error.
func (e lineError) Error() string { return fmt.Sprintf("%d: %v", e.line, e.err) }

// Unwrap returns what is wrong with the line.
func (e lineError) Unwrap() error { return e.err }

func tooMany() error { return fmt.Errorf("more than %d targets", maxFileTargets) }

// written is a target as a file has it.
type written struct {
	line        int // where it begins
	method, url string
	header      []Field
	body        []byte
}

// fileBuilder turns what a file has written into targets.
type fileBuilder struct {
	file    *File
	dropped map[string]int
}

// add takes a target; its error has the line where the target begins.
func (b *fileBuilder) add(w written) error {
	t, secure, err := b.target(w)
	if err == nil && len(b.file.Targets) == maxFileTargets {
		err = tooMany()
	}
	if err != nil {
		return lineError{w.line, err}
	}
	if secure && b.file.SecureLine == 0 {
		b.file.SecureLine = w.line
	}
	b.file.Targets = append(b.file.Targets, t)
	return nil
}

// target turns what is written into a target.
func (b *fileBuilder) target(w written) (t Target, secure bool, err error) {
	t, u, err := ParseURL(w.url)
	if err != nil {
		return Target{}, false, err
	}
	if err := checkMethod(w.method); err != nil {
		return Target{}, false, err
	}
	t.Method, t.Body = w.method, w.body
	if err := t.take(dropHopByHop(w.header, b.dropped)); err != nil {
		return Target{}, false, err
	}
	return t, u.Scheme == "https", t.Check()
}

// take gives the target fields. A Host field stands for its hostname.
func (t *Target) take(fields []Field) error {
	hosts := 0
	for _, f := range fields {
		if !strings.EqualFold(f.Name, "Host") {
			t.Header = append(t.Header, f)
			continue
		}
		if hosts++; hosts > 1 {
			return errors.New("two Host fields: expected one")
		}
		if t.Host = f.Value; !IsHost(t.Host) {
			return fmt.Errorf("the Host field is %.80q: expected a hostname", t.Host)
		}
	}
	return nil
}

func checkMethod(method string) error {
	if method == "CONNECT" {
		return errors.New("method CONNECT: it opens a tunnel and has no answer of its own")
	}
	return nil
}
