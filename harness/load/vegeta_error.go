package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"switchback/results/record"
)

// kind names the error that ended the flight.
func (f *flight) kind() record.ErrorKind {
	kind := kindOf(f.err)
	switch {
	case alerted(f.err) && f.first.Load() == 0:
		return record.ErrDial // the server refused the handshake, after this side had done its part
	case f.sent.Load() != 0:
		if kind == record.ErrReset && !f.fresh.Load() && f.first.Load() == 0 {
			return record.ErrClosed
		}
	case kind == record.ErrMalformed, kind == record.ErrReset:
		return record.ErrDial // the handshake failed: there was no connection to send on
	case kind == record.ErrTimeout && f.opening.Load() != notOpening:
		return record.ErrDial
	}
	return kind
}

// alerted reports whether the server ended a connection by a TLS alert.
func alerted(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error"
}

// reason says why the flight got no connection.
func (f *flight) reason(kind record.ErrorKind) string {
	if kind == record.ErrLimit {
		limit, _ := record.LimitOf(f.err)
		return limit
	}
	switch {
	case !errors.Is(f.err, errTimedOut):
		return f.err.Error()
	case f.opening.Load() == handshaking:
		return "net/http: TLS handshake timeout"
	}
	return fmt.Sprintf("%v: %v", f.attack.engine.addresses, syscall.ETIMEDOUT)
}

// kindOf names an error of net/http. What is neither of the connection nor of
// time is the answer's fault: malformed.
func kindOf(err error) record.ErrorKind {
	if _, ok := record.LimitOf(err); ok {
		return record.ErrLimit
	}
	var dial *dialError
	switch {
	case errors.Is(err, errTimedOut):
		return record.ErrTimeout
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return record.ErrUnanswered
	case errors.As(err, &dial):
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
