package arm

import (
	"context"
	"errors"
	"fmt"
	"switchback/results/record"
	"time"
)

// hookTime bounds a command that prepares, reloads or describes an arm.
const hookTime = time.Minute

// hooks are the user's commands around an arm.
type hooks struct {
	place    *place
	folder   string // in which they run
	env      []string
	teardown string
}

// Do runs a command of the user's in the arm's folder, with the arm's words
// replaced, and returns what it wrote: the last lines of its standard output
// and then of its errors. It must end within a minute, with all that it
// started; else it is ended. An arm that has no such commands returns an error.
func (i *Instance) Do(ctx context.Context, command string) ([]string, error) {
	if i.hooks == nil {
		return nil, fmt.Errorf("running %q: this kind of arm runs no commands", command)
	}
	return i.hooks.run(ctx, command)
}

// end runs the teardown, once.
func (h *hooks) end() error {
	command := h.teardown
	h.teardown = ""
	if command == "" {
		return nil
	}
	if _, err := h.run(context.Background(), command); err != nil {
		return setupFailed(fmt.Errorf("teardown: %w", err))
	}
	return nil
}

// run runs a command to its end, under a keeper.
func (h *hooks) run(ctx context.Context, command string) ([]string, error) {
	ctx, cancel := withDeadline(ctx, hookTime, 0)
	defer cancel()
	said, err := Run(ctx, h.place.program, h.folder, h.env, shell(h.place.words(command))...)
	if err != nil {
		return nil, fmt.Errorf("running %q: %w", command, err)
	}
	return said, nil
}

// Run runs a program in a folder to its end, under a keeper: the switchback binary
// is its path. It returns the last lines of what the program wrote, its errors
// last; env is all of its variables, nil for those of this process. When ctx
// ends or this process is killed, the program ends with all that it started.
func Run(ctx context.Context, keeper, dir string, env []string, argv ...string) ([]string, error) {
	p, err := start(spawn{argv: keeperArgs(keeper, time.Second, "", argv...), dir: dir, env: env})
	if err != nil {
		return nil, err
	}
	defer p.stop(stopRule{grace: 2 * time.Second})
	select {
	case <-ctx.Done():
		return nil, &errorWithLines{context.Cause(ctx), lastLines(p)}
	case <-p.done:
	}
	if p.err != nil {
		return nil, &errorWithLines{p.err, lastLines(p)}
	}
	return append(p.stdout.lines(), p.stderr.lines()...), nil
}

// shell is the command line that runs words in the shell.
func shell(words string) []string { return []string{"/bin/sh", "-c", words} }

// keeperArgs is the command line that runs argv under a keeper, which removes
// folder ("" for none) when the harness is killed.
func keeperArgs(program string, grace time.Duration, folder string, argv ...string) []string {
	keeper := []string{program, "keeper", "--parent-fd", fmt.Sprint(parentFD), "--grace", grace.String(), "--folder", folder, "--"}
	return append(keeper, argv...)
}

// lastLines returns the lines that a process wrote last, its errors after the rest.
func lastLines(p *process) []string {
	lines := append(p.stdout.lines(), p.stderr.lines()...)
	return lines[max(0, len(lines)-keptLines):]
}

// withLines adds the last lines of a server that was not ready in time.
func withLines(err error, p *process) error {
	var late *Failure
	if errors.As(err, &late) && late.Cause == record.LostNotReady {
		late.Lines = lastLines(p)
		err = &errorWithLines{err, late.Lines}
	}
	return err
}

// errorWithLines is the failure of a server or of a command of the user's, and
// what it wrote last.
type errorWithLines struct {
	err   error
	lines []string
}

func (e *errorWithLines) Error() string {
	if len(e.lines) == 0 {
		return e.err.Error()
	}
	return e.err.Error() + belowMessage(e.lines)
}

func (e *errorWithLines) Unwrap() error { return e.err }
