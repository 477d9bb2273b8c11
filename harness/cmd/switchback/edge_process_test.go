package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"syscall"
	"testing"
)

// A process that finds no free port tells its parent so, and no one else.
func TestALimitIsToldToTheParent(t *testing.T) {
	noPort := listenError("127.0.0.1:0", os.NewSyscallError("bind", syscall.EADDRINUSE))
	taken := listenError("127.0.0.1:80", os.NewSyscallError("bind", syscall.EADDRINUSE))
	for _, c := range []struct {
		parent int
		err    error
		limit  string // "": nothing is told
	}{{3, noPort, "cannot assign requested address"}, {0, noPort, ""}, {3, taken, ""}, {3, os.ErrNotExist, ""}} {
		var out bytes.Buffer
		process := server{parentFD: c.parent}
		if err := process.tellLimit(&out, c.err); !errors.Is(err, c.err) {
			t.Errorf("%v became %v", c.err, err)
		}
		var line readyLine
		if told := json.Unmarshal(out.Bytes(), &line) == nil; told != (c.limit != "") || line.Limit != c.limit || line.Ready {
			t.Errorf("%v with parent %d: told %q", c.err, c.parent, out.Bytes())
		}
	}
}
