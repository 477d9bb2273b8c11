// Package regular opens files that must be files. Opening a named pipe waits until
// somebody writes to it, and no signal ends that; a reader that has no use for a
// pipe opens its files here.
package regular

import (
	"fmt"
	"os"
	"syscall"
)

// Open opens a regular file for reading. Anything else, a named pipe or a device for
// instance, is refused at once.
func Open(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %s: expected a regular file", path, kind(info.Mode()))
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// kind names what is no regular file.
func kind(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeDevice != 0:
		return "a device"
	}
	return "a socket"
}
