package experiment

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	maxBytes  = 1 << 20 // of an experiment file
	maxTokens = 50_000  // of its text: the parser's time grows with their square (5 s at 150,000)
	maxDepth  = 32      // of its nesting
)

// Load reads the experiment file at path, fills in every default and checks
// it. The faults of the file are *Error values, several joined.
func Load(path string) (*Experiment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading experiment: %w", err)
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading experiment %s: %w", path, err)
	}
	return Parse(path, source)
}

// Parse is Load for a file already read; path is for messages.
func Parse(path string, source []byte) (*Experiment, error) {
	body, fault := parseYAML(path, source)
	if fault != nil {
		return nil, fault
	}
	given := &Experiment{Path: path, Source: source, lines: map[string]int{}}
	d := newDecoder(path, given.lines)
	d.value("", body, reflect.ValueOf(given).Elem())
	if given.takeArms(d); len(d.faults) > 0 {
		return nil, join(d.faults)
	}
	return build(given)
}

// build fills in the defaults of what a file gives, and checks the result.
func build(given *Experiment) (*Experiment, error) {
	e := given.clone()
	e.given = given
	e.fill()
	if _, err := e.Cells(); err != nil {
		return nil, err
	}
	return e, nil
}

// parseYAML returns the one document of a file.
func parseYAML(path string, source []byte) (ast.Node, *Error) {
	if fault := checkText(path, source); fault != nil {
		return nil, fault
	}
	tokens := lexer.Tokenize(strings.TrimPrefix(string(source), "\ufeff")) // the byte order mark of some editors
	if len(tokens) > maxTokens {
		return nil, &Error{path, tokenLine(tokens[maxTokens]), fmt.Sprintf("the file holds more than %d words", maxTokens)}
	}
	if t := tooDeep(tokens); t != nil {
		return nil, &Error{path, tokenLine(t), fmt.Sprintf("nested more than %d levels deep", maxDepth)}
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, syntaxError(path, err)
	}
	switch {
	case len(file.Docs) > 1:
		return nil, &Error{path, tokenLine(file.Docs[1].Start), "expected one YAML document, got more"}
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		return nil, &Error{path, 0, "the file is empty: expected an experiment"}
	}
	return file.Docs[0].Body, nil
}

// checkText refuses what is no text before a parser sees it.
func checkText(path string, source []byte) *Error {
	if len(source) > maxBytes {
		return &Error{path, 0, fmt.Sprintf("the file is larger than %s", Bytes(maxBytes))}
	}
	if !utf8.Valid(source) {
		return &Error{path, 0, "the file is not UTF-8 text"}
	}
	s := string(source)
	i := strings.IndexFunc(s, func(r rune) bool { return forbidden(r) && r != '\r' })
	if i < 0 {
		return nil
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return &Error{path, 1 + strings.Count(s[:i], "\n"), fmt.Sprintf("control character %U is not allowed", r)}
}

// tooDeep returns the token at which the nesting passes maxDepth: the parser
// is recursive. Each level of block nesting indents, each of flow nesting opens a bracket.
func tooDeep(tokens token.Tokens) *token.Token {
	flow, dashes, at := 0, 0, 0
	for _, t := range tokens {
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow--
		case token.SequenceEntryType:
			if t.Position.Line != at {
				dashes, at = 0, t.Position.Line
			}
			dashes++
		}
		if flow+dashes > maxDepth || t.Position.IndentNum > 8*maxDepth && t.Type != token.StringType {
			return t
		}
	}
	return nil
}

// syntaxError gives the parser's fault its line.
func syntaxError(path string, err error) *Error {
	var located yaml.Error
	if !errors.As(err, &located) {
		return &Error{File: path, Msg: err.Error()}
	}
	return &Error{path, tokenLine(located.GetToken()), located.GetMessage()}
}
