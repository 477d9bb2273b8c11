package targets

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// readJSON reads vegeta's JSON format: an object a line.
func (b *fileBuilder) readJSON(line string, lines *textLines) error {
	var err error
	for ; err == nil; line, err = lines.next() {
		if line == "" {
			continue
		}
		w, err := parseJSON([]byte(line))
		if err != nil {
			return err
		}
		w.line = lines.number
		if err := b.add(w); err != nil {
			return err
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// parseJSON reads one object. Keys are told apart by their exact letters, as
// vegeta does, and an unknown one is refused.
func parseJSON(line []byte) (written, error) {
	if !utf8.Valid(line) {
		return written{}, errors.New("expected UTF-8, which JSON is")
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(line, &keys); err != nil {
		return written{}, fmt.Errorf("expected a target as a JSON object on one line: %w", err)
	}
	var w written
	header := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		var into any
		switch key {
		case "method":
			into = &w.method
		case "url":
			into = &w.url
		case "body":
			into = &w.body
		case "header":
			into = &header
		default:
			return written{}, fmt.Errorf("unknown key %.80q: expected method, url, header or body", key)
		}
		if err := json.Unmarshal(keys[key], into); err != nil {
			return written{}, fmt.Errorf("%s: %w", key, err)
		}
	}
	if w.method == "" || w.url == "" {
		return written{}, errors.New("expected a target with method and url")
	}
	w.header = ordered(header)
	return w, nil
}

// ordered gives the fields of a map one order.
func ordered(header map[string][]string) []Field {
	var fields []Field
	for name, values := range header {
		for _, value := range values {
			fields = append(fields, Field{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
	return fields
}
