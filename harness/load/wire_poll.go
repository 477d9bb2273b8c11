package load

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// poll is an epoll instance. Descriptors are registered once, edge-triggered,
// for reading and writing.
type poll struct {
	fd     int
	events [256]unix.EpollEvent
}

func newPoll() (*poll, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	return &poll{fd: fd}, nil
}

func (p *poll) close() { _ = unix.Close(p.fd) }

// add registers fd; its events carry the slot and the generation.
func (p *poll) add(fd int, slot, generation int32) error {
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET, Fd: slot, Pad: generation}
	return unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &event)
}

// wait returns the events there are, or the first ones within timeout. It
// needs Linux 5.11 (epoll_pwait2): older calls wait in whole milliseconds.
func (p *poll) wait(timeout time.Duration) ([]unix.EpollEvent, error) {
	limit := unix.NsecToTimespec(int64(timeout))
	events, count, at := uintptr(unsafe.Pointer(&p.events[0])), uintptr(len(p.events)), uintptr(unsafe.Pointer(&limit))
	var n uintptr
	var errno syscall.Errno
	if timeout == 0 { // does not block, so the scheduler need not know
		n, _, errno = syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), events, count, at, 0, 0)
	} else {
		n, _, errno = syscall.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), events, count, at, 0, 0)
	}
	switch errno {
	case 0:
		return p.events[:n], nil
	case syscall.EINTR:
		return nil, nil
	}
	return nil, fmt.Errorf("epoll_pwait2: %w", errno)
}

// readNow and writeNow are read and write on a descriptor that never blocks.
// Telling the scheduler, as package syscall does, costs a tenth of the call.
func readNow(fd int, p []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
	return int(n), errno
}

func writeNow(fd int, p []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
	return int(n), errno
}
