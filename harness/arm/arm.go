// Package arm starts, checks and stops what is measured: the built-in edge, a
// command, or a running server named by its URL. Whatever it starts ends with
// the process that started it, even when that is killed.
package arm

import (
	"context"
	"errors"
	"time"

	"switchback/results/record"
)

// Launcher starts instances of one arm.
type Launcher interface {
	// Launch starts the arm and returns once it has given a good answer. Nothing
	// is left running when it fails.
	Launch(ctx context.Context) (*Instance, error)
}

// Probe asks an arm at address (host:port) one question that a ready arm
// answers rightly. It is polled until it returns nil.
type Probe func(ctx context.Context, address string) error

// Instance is one running arm.
type Instance struct {
	Address string        // host:port that serves traffic
	TLS     bool          // it speaks TLS there
	Admin   string        // host:port of the admin API; "" where there is none
	PID     int           // root of the process tree; 0 where nothing was started
	Own     bool          // PID itself is part of the arm (a keeper is not)
	Cgroup  string        // folder of the cgroup that is measured instead of a tree; "" for none
	Startup time.Duration // from exec to the first good answer; 0 where nothing was started
	Outside *Outside      // who serves a command's address when none of its own processes does; else nil

	process *process
	cleanup func()
	stop    stopRule
	hooks   *hooks            // nil where no commands of the user's are run
	files   map[string]string // that a command was rendered with
}

// ErrDead is wrapped by the errors about an arm that ended by itself.
var ErrDead = errors.New("the arm's process ended")

// Alive returns nil while the arm runs, else a Failure that wraps ErrDead, with
// how it ended and the last lines it wrote. An arm that was not started here
// counts as alive.
func (i *Instance) Alive() error {
	if i.process == nil {
		return nil
	}
	if i.process.ended() {
		return i.process.deathNote(record.LostServing)
	}
	return nil
}

// Killed tells whether the arm, once stopped, had ignored the signal to stop
// until its grace was over.
func (i *Instance) Killed() bool { return i.process != nil && i.process.killed }

// Dead is closed when the arm's process ends; nil where nothing was started.
func (i *Instance) Dead() <-chan struct{} {
	if i.process == nil {
		return nil
	}
	return i.process.done
}

// Stop ends the arm: its signal, a grace time, then KILL, and then its
// teardown, whose error it returns. It returns once the process is gone;
// stopping twice is harmless.
func (i *Instance) Stop() error {
	if i.process != nil {
		i.process.stop(i.stop)
	}
	var err error
	if i.hooks != nil {
		err = i.hooks.end()
	}
	if i.cleanup != nil {
		i.cleanup()
		i.cleanup = nil
	}
	return err
}
