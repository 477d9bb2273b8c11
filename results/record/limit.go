package record

import (
	"errors"
	"fmt"
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
}

// LimitOf returns the system's name of the limit that err is about, such as
// "too many open files"; false for an error that is not about a limit of the
// generator's process or machine.
func LimitOf(err error) (name string, ok bool) {
	for _, l := range limits {
		if errors.Is(err, l.errno) {
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
