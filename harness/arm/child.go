package arm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"time"

	"switchback/results/record"
)

// Child is a switchback process that speaks our start-up protocol: one JSON
// line when ready, and an end when its parent ends. The built-in edge and the
// origin are such children.
type Child struct {
	Program string        // path of the switchback binary
	Args    []string      // subcommand and flags
	CPUs    []int         // CPUs it may use; nil for all
	Within  time.Duration // to be ready; default 30 s
	Probe   Probe         // the first good answer; nil: ready is enough
	// Prepare is called before each start; it returns further arguments and what
	// removes them after the stop. May be nil.
	Prepare func(ctx context.Context) (args []string, cleanup func(), err error)
}

// ready is the line a child prints when it serves, or when a limit of this
// machine keeps it from serving.
type ready struct {
	Ready  bool   `json:"ready"`
	Listen string `json:"listen"`
	Admin  string `json:"admin"`
	PID    int    `json:"pid"`
	Limit  string `json:"limit"` // see record.LimitOf
	Error  string `json:"error"`
}

// Launch starts the child and waits until it is ready and answers.
func (c Child) Launch(ctx context.Context) (*Instance, error) {
	ctx, cancel := withDeadline(ctx, c.Within, 30*time.Second)
	defer cancel()
	args, cleanup := c.Args, func() {}
	if c.Prepare != nil {
		more, undo, err := c.Prepare(ctx)
		if err != nil {
			return nil, err
		}
		args, cleanup = append(args[:len(args):len(args)], more...), undo
	}
	i, err := c.launch(ctx, args)
	if err != nil {
		cleanup()
		return nil, fmt.Errorf("starting switchback %s: %w", c.Args[0], err)
	}
	i.cleanup = cleanup
	return i, nil
}

func (c Child) launch(ctx context.Context, args []string) (*Instance, error) {
	lines, out := io.Pipe()
	argv := append([]string{c.Program}, args...)
	argv = append(argv, "--parent-fd", fmt.Sprint(parentFD))
	began := time.Now()
	p, err := start(spawn{argv: argv, cpus: c.CPUs, stdout: out})
	if err != nil {
		return nil, err
	}
	first := make(chan ready, 1)
	go func() {
		var r ready
		if json.NewDecoder(io.LimitReader(lines, 4096)).Decode(&r) == nil {
			first <- r
		}
		_, _ = io.Copy(io.Discard, lines) // keep the child's output flowing
	}()
	go func() {
		<-p.done
		out.Close()
	}()
	i, err := c.await(ctx, p, first)
	if err != nil {
		p.stop(stopRule{})
		return nil, withLines(err, p)
	}
	i.Startup = time.Since(began)
	return i, nil
}

// await waits for the child's line and its first good answer.
func (c Child) await(ctx context.Context, p *process, first <-chan ready) (*Instance, error) {
	var r ready
	select {
	case r = <-first:
	case <-p.done:
		return nil, p.deathNote(record.LostAtStart)
	case <-ctx.Done():
		return nil, notReady(fmt.Errorf("not ready: %w", context.Cause(ctx)))
	}
	if r.Limit != "" {
		return nil, &record.LimitError{Limit: r.Limit, Err: errors.New(r.Error)}
	}
	if _, err := netip.ParseAddrPort(r.Listen); !r.Ready || err != nil {
		return nil, fmt.Errorf("expected a ready line with its address, got %+v", r)
	}
	if c.Probe != nil {
		if err := answer(ctx, p, r.Listen, c.Probe); err != nil {
			return nil, err
		}
	}
	return &Instance{Address: r.Listen, Admin: r.Admin, PID: p.cmd.Process.Pid, Own: true, process: p}, nil
}
