package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"unicode"

	"switchback/results/record"
)

// Bounds of what is kept of the reasons of dial errors: the text of a TLS
// alert or of a certificate comes from the server.
const (
	maxReasons    = 8
	maxReasonText = 200 // characters
	otherReasons  = "other reasons"
)

// addReason counts a reason in counts, which may be nil, and returns it.
func addReason(counts map[string]int, reason string, n int) map[string]int {
	if counts == nil {
		counts = map[string]int{}
	}
	reason = printable(reason)
	if _, known := counts[reason]; !known && len(counts) >= maxReasons {
		reason = otherReasons
	}
	counts[reason] += n
	return counts
}

// printable cuts a text and replaces what a terminal could take for a command.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > maxReasonText {
		text = string(runes[:maxReasonText]) + "…"
	}
	return text
}

// attempts are the failures of one dial, by address; 0: it was not tried.
type attempts [maxAddresses]syscall.Errno

// reason says what became of each address that was tried.
func (a *addresses) reason(tried attempts) string {
	var parts []string
	for i, at := range a.list {
		if tried[i] != 0 {
			parts = append(parts, fmt.Sprintf("%v: %v", at, tried[i]))
		}
	}
	return strings.Join(parts, "; ")
}

// dialError is a dial that failed at every address.
type dialError struct {
	addresses *addresses
	tried     attempts
	limit     syscall.Errno // of the generator, that ended it; 0: none
}

func (e *dialError) Error() string {
	if e.limit != 0 {
		return e.limit.Error()
	}
	return e.addresses.reason(e.tried)
}

// Unwrap returns the limit, so that record.LimitOf finds it. A refusal has none.
func (e *dialError) Unwrap() error {
	if e.limit != 0 {
		return e.limit
	}
	return nil
}

// errnoOf returns the system's number of an error of package net.
func errnoOf(err error) syscall.Errno {
	var errno syscall.Errno
	var timed net.Error
	switch {
	case errors.As(err, &errno):
		return errno
	case errors.As(err, &timed) && timed.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return syscall.ETIMEDOUT
	}
	return syscall.ECONNABORTED
}

// Add returns the counts of two calls together.
func (c Counts) Add(other Counts) Counts {
	c.Released, c.Dials, c.Opened, c.Reused, c.Spin = c.Released+other.Released, c.Dials+other.Dials, c.Opened+other.Opened, c.Reused+other.Reused, c.Spin+other.Spin
	for reason, n := range other.DialErrors {
		c.DialErrors = addReason(c.DialErrors, reason, n)
	}
	for limit, n := range other.Limits {
		c.Limits = addReason(c.Limits, limit, n)
	}
	return c
}

// failedFor counts the error of a request that got no connection.
func (c *Counts) failedFor(kind record.ErrorKind, reason string, n int) {
	switch kind {
	case record.ErrDial:
		c.DialErrors = addReason(c.DialErrors, reason, n)
	case record.ErrLimit:
		c.Limits = addReason(c.Limits, reason, n)
	}
}
