package limit

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"
)

// wrapped is err as net/http returns it for a dial.
func wrapped(err error) error {
	return fmt.Errorf("asking: %w", &url.Error{Op: "Get", URL: "http://x", Err: &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", err)}})
}

func TestLimitsAreToldFromTheServersFaults(t *testing.T) {
	for _, c := range []struct {
		err           error
		of, listening string // names; "" for no limit
	}{
		{wrapped(syscall.EMFILE), "file descriptors", "file descriptors"},
		{wrapped(syscall.ENFILE), "file descriptors of the machine", "file descriptors of the machine"},
		{wrapped(syscall.EADDRNOTAVAIL), "local ports", "local ports"},
		{wrapped(syscall.ENOBUFS), "socket buffers", "socket buffers"},
		{wrapped(syscall.ENOMEM), "memory", "memory"},
		{wrapped(syscall.EADDRINUSE), "", "local ports"},
		{wrapped(syscall.ECONNREFUSED), "", ""},
		{wrapped(syscall.ECONNRESET), "", ""},
		{wrapped(syscall.EAGAIN), "", ""},
		{&fs.PathError{Op: "fork/exec", Path: "/bin/sh", Err: syscall.EAGAIN}, "processes", "processes"},
		{errors.New("too many open files"), "", ""},
		{nil, "", ""},
	} {
		of, met := Of(c.err)
		if of.Name != c.of || met != (c.of != "") || met && of.Advice == "" {
			t.Errorf("Of(%v) = %+v, %v; want %q", c.err, of, met, c.of)
		}
		if of, met = OfListening(c.err); of.Name != c.listening || met != (c.listening != "") {
			t.Errorf("OfListening(%v) = %+v, %v; want %q", c.err, of, met, c.listening)
		}
	}
}
