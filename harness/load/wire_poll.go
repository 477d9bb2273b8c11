package load

import (
	"errors"
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// poll is an epoll instance with a timer in it. Descriptors are registered
// once, edge-triggered, for reading and writing.
//
// The timer is a descriptor of its own, not the time-out of the call: an
// answer that comes before the next due instant ends the call but leaves the
// timer as it is. (Setting and cancelling it each time means touching the
// clock's hardware, which leaves a virtual machine.)
type poll struct {
	fd     int
	timer  int
	bell   int // an eventfd that ends a wait
	events [256]unix.EpollEvent
}

// The marks of events that are no connection's.
const (
	timerSlot = -1
	bellSlot  = -2
)

func newPoll() (*poll, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	timer, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK)
	if err != nil {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("timerfd: %w", err)
	}
	bell, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		_ = unix.Close(fd)
		_ = unix.Close(timer)
		return nil, fmt.Errorf("eventfd: %w", err)
	}
	p := &poll{fd: fd, timer: timer, bell: bell}
	if err := errors.Join(p.add(timer, timerSlot, 0), p.add(bell, bellSlot, 0)); err != nil {
		p.close()
		return nil, fmt.Errorf("epoll: %w", err)
	}
	return p, nil
}

// interrupt ends a wait, or the next one. Any goroutine may call it. The bell
// is never answered: each ring is an event, as long as the count has room.
func (p *poll) interrupt() {
	one := [8]byte{1}
	_, _ = unix.Write(p.bell, one[:])
}

func (p *poll) close() {
	_ = unix.Close(p.fd)
	_ = unix.Close(p.timer)
	_ = unix.Close(p.bell)
}

// add registers fd; its events carry the slot and the generation.
func (p *poll) add(fd int, slot, generation int32) error {
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET, Fd: slot, Pad: generation}
	return unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &event)
}

// now returns the events there are.
func (p *poll) now() ([]unix.EpollEvent, error) {
	// It does not block, so the scheduler need not know of the call.
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(&p.events[0])), uintptr(len(p.events)), 0, 0, 0)
	return p.result(n, errno)
}

// arm sets the timer: its event comes after a time.
func (p *poll) arm(after time.Duration) error {
	setting := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(after))}
	if err := unix.TimerfdSettime(p.timer, 0, &setting, nil); err != nil {
		return fmt.Errorf("timerfd: %w", err)
	}
	return nil
}

// wait returns the first events to come.
func (p *poll) wait() ([]unix.EpollEvent, error) {
	forever := ^uintptr(0)
	n, _, errno := syscall.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(&p.events[0])), uintptr(len(p.events)), forever, 0, 0)
	return p.result(n, errno)
}

func (p *poll) result(n uintptr, errno syscall.Errno) ([]unix.EpollEvent, error) {
	switch errno {
	case 0:
		return p.events[:n], nil
	case syscall.EINTR:
		return nil, nil
	}
	return nil, fmt.Errorf("epoll_pwait: %w", errno)
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
