package arm

import (
	"errors"
	"fmt"
	"syscall"
)

// Render writes the files of a running command again, from another content.
func (i *Instance) Render(content Content) error {
	if i.hooks == nil {
		return errors.New("only a command has files")
	}
	i.hooks.place.content = content
	return i.hooks.place.render(i.files)
}

// KillWorker ends the youngest process of a command's tree by KILL and returns
// its id. A server of a single process has no worker: it is an error.
func (i *Instance) KillWorker() (pid int, err error) {
	if i.Outside != nil {
		return 0, fmt.Errorf("killing a worker: %v", i.Outside)
	}
	below := Descendants(i.PID)
	if !i.Own && len(below) > 0 {
		below = below[1:] // the server itself, below its keeper
	}
	if i.PID == 0 || len(below) == 0 {
		return 0, errors.New("killing a worker: the arm has a single process, or none that is known")
	}
	pid = below[len(below)-1]
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return 0, fmt.Errorf("killing worker %d: %w", pid, err)
	}
	return pid, nil
}
