package record

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestLimitsOfTheGeneratorAreToldApartFromRefusals(t *testing.T) {
	for errno, want := range map[syscall.Errno]string{
		syscall.EMFILE:        "too many open files",
		syscall.ENFILE:        "too many open files in system",
		syscall.EADDRNOTAVAIL: "cannot assign requested address",
		syscall.ENOBUFS:       "no buffer space available",
		syscall.ENOMEM:        "cannot allocate memory",
		syscall.ECONNREFUSED:  "",
		syscall.ETIMEDOUT:     "",
		syscall.EHOSTUNREACH:  "",
		syscall.ECONNRESET:    "",
	} {
		wrapped := fmt.Errorf("asking: %w", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", errno)})
		got, ok := LimitOf(wrapped)
		if got != want || ok != (want != "") {
			t.Errorf("%v: %q, %v; want %q", errno, got, ok, want)
		}
		if ok && LimitAdvice(got) == "" {
			t.Errorf("%v: no advice", errno)
		}
	}
	for op, want := range map[string]bool{"fork/exec": true, "read": false} {
		if _, ok := LimitOf(&fs.PathError{Op: op, Err: syscall.EAGAIN}); ok != want {
			t.Errorf("%s that can't be done now is a limit: %v", op, ok)
		}
	}
	if _, ok := LimitOf(errors.New("too many open files")); ok {
		t.Error("a text alone is taken for a limit")
	}
}

// The advice stands once, however often an error is explained on its way up,
// and no free port for a listener is a limit of ports.
func TestTheAdviceStandsOnce(t *testing.T) {
	full := ExplainListening(fmt.Errorf("finding a port: %w", os.NewSyscallError("bind", syscall.EADDRINUSE)))
	twice := ExplainLimit(fmt.Errorf("arm a: %w", full))
	if n := strings.Count(twice.Error(), "no local port was free"); n != 1 {
		t.Errorf("%q gives its advice %d times", twice, n)
	}
	if name, met := LimitOf(twice); !met || name != "cannot assign requested address" {
		t.Errorf("LimitOf(%v) = %q, %v", twice, name, met)
	}
	for _, other := range []error{nil, syscall.ECONNREFUSED} {
		if ExplainLimit(other) != other || ExplainListening(other) != other {
			t.Errorf("%v is explained", other)
		}
	}
}
