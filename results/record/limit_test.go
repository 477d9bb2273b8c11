package record

import (
	"errors"
	"fmt"
	"net"
	"os"
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
	if _, ok := LimitOf(errors.New("too many open files")); ok {
		t.Error("a text alone is taken for a limit")
	}
}
