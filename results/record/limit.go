package record

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// limits are the errors by which the system says that this machine, or a
// process of ours, ran out of something. They say nothing about an arm.
var limits = []struct {
	errno  syscall.Errno
	advice string
}{
	{syscall.EMFILE, "raise the limit of open files (ulimit -n) above the number of connections"},
	{syscall.ENFILE, "raise the machine's limit of open files (sysctl fs.file-max)"},
	{syscall.EADDRNOTAVAIL, "no local port was free: keep connections open (pooling), lower the rate, or widen net.ipv4.ip_local_port_range"},
	{syscall.ENOBUFS, "the machine had no room for socket buffers: use fewer connections, or raise net.core and net.ipv4.tcp_mem"},
	{syscall.ENOMEM, "the machine had no memory left for sockets or processes: use fewer connections, or a larger machine"},
	{noProcess, "no further process could be started: raise ulimit -u, or pids.max of the cgroup"},
}

// noProcess is a limit when a process was to be started. Of a socket it says
// only that nothing is there yet.
const noProcess = syscall.EAGAIN

// LimitError is an error that met a limit; its text ends with the advice.
type LimitError struct {
	Limit string // its name, see LimitOf
	Err   error
}

func (e *LimitError) Error() string { return fmt.Sprintf("%v (%s)", e.Err, LimitAdvice(e.Limit)) }
func (e *LimitError) Unwrap() error { return e.Err }

// ExplainLimit adds the advice to an error that met a limit, once; it returns
// any other error, nil too, as it is.
func ExplainLimit(err error) error {
	if name, met := LimitOf(err); met && !errors.As(err, new(*LimitError)) {
		return &LimitError{name, err}
	}
	return err
}

// ExplainListening is ExplainLimit for a listener that asked for any free port:
// there, "address already in use" means that no port is free.
func ExplainListening(err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return &LimitError{syscall.EADDRNOTAVAIL.Error(), err}
	}
	return ExplainLimit(err)
}

// LimitOf returns the system's name of the limit that err is about, such as
// "too many open files"; false for an error that is not about a limit of the
// generator's process or machine.
func LimitOf(err error) (name string, ok bool) {
	var told *LimitError
	if errors.As(err, &told) {
		return told.Limit, true
	}
	for _, l := range limits {
		if errors.Is(err, l.errno) && (l.errno != noProcess || startsProcess(err)) {
			return l.errno.Error(), true
		}
	}
	return "", false
}

// LimitNote says that the generator ran into a limit that LimitOf named, how
// often, and what to do about it.
func LimitNote(name string, times int) string {
	return fmt.Sprintf("the generator ran into its own limit, which says nothing about the server: %q, for %d requests or starts: %s", name, times, LimitAdvice(name))
}

// startsProcess tells whether err comes from starting a process.
func startsProcess(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Op == "fork/exec"
}

// LimitAdvice returns what to do about a limit that LimitOf named; "" for an
// unknown one.
func LimitAdvice(name string) string {
	for _, l := range limits {
		if l.errno.Error() == name {
			return l.advice
		}
	}
	return ""
}
