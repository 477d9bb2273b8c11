package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"switchback/harness/arm"
	"switchback/harness/build"
	"switchback/harness/caches"
	"switchback/harness/experiment"
)

// commandLauncher starts a server of the user's own.
func (c *cell) commandLauncher(ctx context.Context, a experiment.Arm) (arm.Launcher, error) {
	command := a.Command
	program, err := c.build(ctx, a.Name, command.Build)
	if err != nil {
		return nil, fmt.Errorf("arm %s: build: %w", a.Name, err)
	}
	copies, err := c.keepInputs(command.Render)
	if err != nil {
		return nil, fmt.Errorf("arm %s: %w", a.Name, err)
	}
	return arm.Command{Program: c.o.Program, Scratch: c.short.Dir, Run: command.Run, Cwd: command.Cwd, Env: command.Env, Files: command.Files,
		Copies: copies, Mark: command.Placeholder,
		Content: c.content(), Build: program, Setup: a.Setup, Teardown: a.Teardown,
		Ready: command.Ready, Within: time.Duration(command.ReadyWithin), Stop: command.Stop,
		Grace: time.Duration(command.Grace), Origin: c.origin.Address, CPUs: c.layout.arms, Cores: c.cores(),
		Probe: c.firstAnswer(false, false)}, nil
}

// build makes the program of an arm and returns its path; "" without a build.
// Its commit is the arm's version.
func (c *cell) build(ctx context.Context, name string, b *experiment.Build) (string, error) {
	if b == nil {
		return "", nil
	}
	builder := build.Builder{Keeper: c.o.Program, Scratch: c.short.Dir, Cache: filepath.Join(c.cache, caches.Programs), Staging: c.scratch.Dir, Say: c.step}
	program, err := builder.Build(ctx, build.Source{Repository: b.Git, Ref: b.Ref, Package: b.Go})
	if err != nil {
		return "", err
	}
	if program.Damage != nil {
		c.note("the program of arm %s in the cache was built anew: %v", name, program.Damage)
	}
	c.setVersion(name, "commit "+program.Commit)
	return program.Path, nil
}

// urlLauncher attaches to a server that runs.
func (c *cell) urlLauncher(a experiment.Arm) arm.Launcher {
	_, tls, _ := arm.ParseURL(a.URL.At) // the file was checked
	return arm.URL{URL: a.URL.At, PID: a.URL.PID, PIDFile: a.URL.PIDFile, Cgroup: a.URL.Cgroup, Program: c.o.Program,
		Setup: a.Setup, Teardown: a.Teardown, Probe: c.firstAnswer(tls, a.URL.Insecure)}
}

// cores is how many CPUs an arm may use.
func (c *cell) cores() int {
	if len(c.layout.arms) > 0 {
		return len(c.layout.arms)
	}
	cpus, err := allowedCPUs()
	if err != nil {
		return 1
	}
	return len(cpus)
}
