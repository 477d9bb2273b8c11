package load

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"switchback/results/record"
)

// kindOf names an error of net/http. What is neither of the connection nor of
// time is the answer's fault: malformed.
func kindOf(err error) record.ErrorKind {
	var operation *net.OpError
	switch {
	case errors.Is(err, errTimedOut):
		return record.ErrTimeout
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return record.ErrUnanswered
	case errors.As(err, &operation) && operation.Op == "dial":
		return record.ErrDial
	case errors.Is(err, os.ErrDeadlineExceeded):
		return record.ErrTimeout
	case broken(err):
		return record.ErrReset
	}
	return record.ErrMalformed
}

// broken reports whether the connection ended before the answer did. Two of
// net/http's errors of this kind have no value to compare with.
func broken(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	text := err.Error()
	return strings.Contains(text, "server closed idle connection") || strings.Contains(text, "readLoopPeekFailLocked")
}
