// Package limit tells what this machine or process has run out of from the
// faults of the server that is measured. A dial that fails since no local port
// is free says nothing of the server: a measurement that meets a limit is
// invalid, whatever the server did.
package limit

import (
	"errors"
	"io/fs"
	"syscall"
)

// Limit is something that this machine or process has no more of.
type Limit struct {
	Name   string // in results: "file descriptors"
	Advice string // what to do about it
}

// known lists the limits by the error of the system call that met them.
var known = []struct {
	errno syscall.Errno
	Limit
}{
	{syscall.EMFILE, Limit{"file descriptors", "this process has no file descriptor left: raise `ulimit -n`, or use fewer connections"}},
	{syscall.ENFILE, Limit{"file descriptors of the machine", "the machine has no file descriptor left: raise fs.file-max, or use fewer connections"}},
	{syscall.EADDRNOTAVAIL, Limit{"local ports", "no local port is free: keep connections open, lower the rate, or widen net.ipv4.ip_local_port_range"}},
	{syscall.ENOBUFS, Limit{"socket buffers", "the kernel has no buffer left for sockets: use fewer connections"}},
	{syscall.ENOMEM, Limit{"memory", "the kernel has no memory left: end other processes, or use fewer connections"}},
}

// Of returns the limit that err met, by the error numbers that it wraps;
// false for any other error. A refused connection is never one.
func Of(err error) (Limit, bool) {
	for _, k := range known {
		if errors.Is(err, k.errno) {
			return k.Limit, true
		}
	}
	var path *fs.PathError
	if errors.As(err, &path) && path.Op == "fork/exec" && errors.Is(err, syscall.EAGAIN) {
		return Limit{"processes", "no further process may be started: raise `ulimit -u` or the cgroup's pids.max"}, true
	}
	return Limit{}, false
}

// OfListening is Of for an error of a listener that asked for any free port:
// there, "address already in use" means that no port is free.
func OfListening(err error) (Limit, bool) {
	if errors.Is(err, syscall.EADDRINUSE) {
		return Of(syscall.EADDRNOTAVAIL)
	}
	return Of(err)
}
