package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Error is one fault of an experiment file.
type Error struct {
	File string // as given to Load, or the name of a built-in experiment
	Line int    // from 1; 0 when the fault is of no single line
	Msg  string // what was expected
}

// Error returns "file:line: what was expected".
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// maxErrors is the number of faults that are reported together.
const maxErrors = 20

// join returns the faults as one error, in the order of their lines, each on
// a line of its own and each found by errors.As. It is nil without faults.
func join(faults []*Error) error {
	slices.SortStableFunc(faults, func(a, b *Error) int { return a.Line - b.Line })
	faults = slices.CompactFunc(faults, func(a, b *Error) bool { return *a == *b })
	all := make([]error, 0, len(faults))
	for i, f := range faults {
		if i == maxErrors {
			all = append(all, &Error{File: f.File, Msg: fmt.Sprintf("and %d more", len(faults)-i)})
			break
		}
		all = append(all, f)
	}
	return errors.Join(all...)
}

// either lists words for a message: "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
