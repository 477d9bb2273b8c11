package routing

import (
	"fmt"
	"regexp"
	"sync/atomic"
)

// table is a decoded routing table.
type table struct {
	rows     []Row
	bytes    int                             // of its JSON
	compiled []atomic.Pointer[regexp.Regexp] // of the rows tried so far; nil where none is kept
}

// newTable decodes a table that keeps no compiled expression.
func newTable(raw []byte) (*table, error) {
	rows, err := DecodeTable(raw)
	if err != nil {
		return nil, err
	}
	return &table{rows: rows, bytes: len(raw)}, nil
}

// keepCompiled makes the table keep each expression when it is first tried.
func (t *table) keepCompiled() {
	t.compiled = make([]atomic.Pointer[regexp.Regexp], len(t.rows))
}

// match returns the pipeline of the first row whose expression matches name,
// and how many rows were tried.
func (t *table) match(name string) (*Pipeline, int, error) {
	for i := range t.rows {
		matches, err := t.matches(i, name)
		if err != nil {
			return nil, i, fmt.Errorf("routing table: row %d: %w", i+1, err)
		}
		if matches {
			return t.rows[i].Pipeline, i + 1, nil
		}
	}
	return nil, len(t.rows), ErrUnknownHost
}

// matches reports whether the expression of row i matches name.
func (t *table) matches(i int, name string) (bool, error) {
	if t.compiled == nil {
		return regexp.MatchString(t.rows[i].Expression, name)
	}
	if kept := t.compiled[i].Load(); kept != nil {
		return kept.MatchString(name), nil
	}
	expression, err := regexp.Compile(t.rows[i].Expression)
	if err != nil {
		return false, err
	}
	t.compiled[i].Store(expression) // two requests may both compile it; either will do
	return expression.MatchString(name), nil
}

const (
	// rowBytes is a Row and the pointer to its compiled expression.
	rowBytes = stringBytes + 8 + 8

	// compiledBytes is what a compiled expression takes for each byte of its
	// text: measured on the heap over the expressions of datasets.
	compiledBytes = 128
)

// size returns about how many bytes of memory the table takes with all of its
// expressions compiled, which is what it grows to.
func (t *table) size() int64 {
	var n int64
	for _, row := range t.rows {
		n += rowBytes + row.Pipeline.size() + int64(len(row.Expression)*(1+compiledBytes))
	}
	return n
}
