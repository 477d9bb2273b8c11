package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"switchback/harness/experiment"
)

// buildTime bounds the build of a program.
const buildTime = 10 * time.Minute

// build makes the program of an arm from a commit, in a worktree of its own,
// and returns its path; "" without a build. Its commit is the arm's version.
func (c *cell) build(ctx context.Context, name string, b *experiment.Build) (program string, err error) {
	if b == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	c.step(fmt.Sprintf("building %s at %s", b.Go, b.Ref))
	c.built++
	tree, program := c.scratch.path(fmt.Sprintf("tree-%d", c.built)), c.scratch.path(fmt.Sprintf("build-%d", c.built))
	commit, err := output(ctx, "git", "-C", b.Git, "rev-parse", "--verify", "--end-of-options", b.Ref+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("arm %s: build: %w", name, err)
	}
	if _, err := output(ctx, "git", "-C", b.Git, "worktree", "add", "--detach", tree, commit); err != nil {
		return "", fmt.Errorf("arm %s: build: %w", name, err)
	}
	_, err = output(ctx, "go", "build", "-C", tree, "-o", program, b.Go)
	if _, undone := output(context.WithoutCancel(ctx), "git", "-C", b.Git, "worktree", "remove", "--force", tree); undone != nil {
		err = errors.Join(err, undone)
	}
	if err != nil {
		return "", fmt.Errorf("arm %s: build: %w", name, err)
	}
	c.setVersion(name, "commit "+commit)
	return program, nil
}

// output runs a program and returns what it printed; its error has the last
// lines that it wrote.
func output(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
	var said strings.Builder
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	return "", fmt.Errorf("%s %s: %w:%s", program, args[0], err, listed(lines[max(0, len(lines)-maxListed):]))
}
