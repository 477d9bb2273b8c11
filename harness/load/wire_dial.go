package load

import (
	"syscall"

	"golang.org/x/sys/unix"

	"switchback/results/record"
)

// dial opens the connection at the next address that it has not tried; handle
// goes on when it is writable.
func (l *loop) dial(c *conn) {
	for {
		i, ok := l.addresses.at(c.from, c.dials)
		if !ok {
			l.fail(c, record.ErrDial)
			return
		}
		c.dials++
		errno := l.connect(c, i)
		if errno == 0 || !l.refused(c, errno) {
			return
		}
	}
}

// connect begins to open the connection at address i.
func (l *loop) connect(c *conn, i int) syscall.Errno {
	c.address = i
	socket, family := l.sockets[i], l.families[i]
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return numberOf(err)
	}
	c.fd, c.dialling = fd, true
	if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		return numberOf(err)
	}
	if err := unix.Connect(fd, socket); err != nil && err != unix.EINPROGRESS {
		return numberOf(err)
	}
	return numberOf(l.poll.add(fd, c.slot, c.generation))
}

// numberOf returns the number of a system call's error, without allocating.
func numberOf(err error) syscall.Errno {
	errno, _ := err.(syscall.Errno)
	return errno
}

// refused takes the failure of a dial at one address and closes its socket;
// false: it was a limit of ours, and the request has ended.
func (l *loop) refused(c *conn, errno syscall.Errno) (more bool) {
	if l.addresses.limited(c.address, errno) {
		l.limit(c, errno)
		return false
	}
	c.tried[c.address] = errno
	c.hangUp()
	return true
}

// dialled goes on after the dial: the request is written. A connection that was
// accepted and ended at once may hold an answer, which writing will show.
func (l *loop) dialled(c *conn, events uint32) {
	errno := syscall.Errno(0)
	if events&(unix.EPOLLERR|unix.EPOLLHUP) != 0 {
		errno = socketError(c.fd)
	}
	switch {
	case errno != 0 && errno != unix.ECONNRESET && errno != unix.EPIPE:
		if l.refused(c, errno) {
			l.dial(c)
		}
	case events&^unix.EPOLLRDHUP != 0:
		c.dialling = false
		l.counts.Opened++
		l.addresses.choose(c.address)
		l.write(c)
	}
}

// socketError returns, and clears, why a socket failed.
func socketError(fd int) syscall.Errno {
	n, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil {
		return numberOf(err)
	}
	return syscall.Errno(n)
}

// late ends a request whose time-out passed. Its next dial begins with another
// address.
func (l *loop) late(c *conn) {
	if !c.dialling {
		l.fail(c, record.ErrTimeout)
		return
	}
	c.tried[c.address] = unix.ETIMEDOUT
	l.addresses.choose(c.address + 1)
	l.fail(c, record.ErrDial)
}

// limit ends a request for which the generator ran out of something.
func (l *loop) limit(c *conn, errno syscall.Errno) {
	l.limits[errno]++
	l.fail(c, record.ErrLimit)
}

// reasons turns the numbers that were counted into text.
func (l *loop) reasons() Counts {
	counts := l.counts
	for tried, n := range l.unopened {
		counts.failedFor(record.ErrDial, l.addresses.reason(tried), n)
	}
	for errno, n := range l.limits {
		counts.failedFor(record.ErrLimit, errno.Error(), n)
	}
	return counts
}
